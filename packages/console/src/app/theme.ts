import { createValueStore, type ValueStore } from "./value-store.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Also read by public/theme.js, before the first paint. */
const STORAGE_KEY = "tracon.theme";

/** The chosen theme, kept in this browser. */
export function createThemeStore(page: Document, storage: Storage): ValueStore<Theme> {
  const stored = storage.getItem(STORAGE_KEY);
  const store = createValueStore<Theme>(themes.find((it) => it === stored) ?? "system");
  return {
    ...store,
    set(theme) {
      store.set(theme);
      if (theme === "system") {
        delete page.documentElement.dataset.theme;
        storage.removeItem(STORAGE_KEY);
      } else {
        page.documentElement.dataset.theme = theme;
        storage.setItem(STORAGE_KEY, theme);
      }
    },
  };
}
