import { Bot, ListTree, type LucideIcon, MessageSquare } from "lucide-react";

export type Destination = {
  readonly to: "/playground" | "/runs" | "/agents";
  readonly title: string;
  readonly icon: LucideIcon;
};

/** What the rail and the palette lead to, in groups. */
export const navigation: readonly {
  readonly group: string;
  readonly destinations: readonly Destination[];
}[] = [
  {
    group: "Operate",
    destinations: [
      { to: "/playground", title: "Playground", icon: MessageSquare },
      { to: "/runs", title: "Runs", icon: ListTree },
    ],
  },
  { group: "Design", destinations: [{ to: "/agents", title: "Agents", icon: Bot }] },
];
