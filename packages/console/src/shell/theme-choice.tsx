import { type LucideIcon, Monitor, Moon, Sun } from "lucide-react";
import { useServices } from "../app/services.tsx";
import { type Theme, themes } from "../app/theme.ts";
import { useValue } from "../app/value-store.ts";
import { IconButton } from "../design/button.tsx";
import { Select } from "../design/field.tsx";

const looks: Readonly<Record<Theme, readonly [name: string, icon: LucideIcon, next: Theme]>> = {
  system: ["System theme", Monitor, "light"],
  light: ["Light theme", Sun, "dark"],
  dark: ["Dark theme", Moon, "system"],
};

/** Light, dark or the system's. A narrow rail has room for one button, which goes round. */
export function ThemeChoice({ isNarrow }: { readonly isNarrow: boolean }) {
  const { theme: store } = useServices();
  const theme = useValue(store);
  const [name, icon, next] = looks[theme];
  return isNarrow ? (
    <IconButton
      icon={icon}
      label={`${name}. Change to ${looks[next][0].toLowerCase()}`}
      onClick={() => store.set(next)}
    />
  ) : (
    <Select
      aria-label="Theme"
      className="w-full"
      value={theme}
      onPick={(value) => store.set(value as Theme)}
      options={themes.map((value) => ({ value, label: looks[value][0] }))}
    />
  );
}
