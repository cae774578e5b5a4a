import {
  Bot,
  House,
  ListTree,
  type LucideIcon,
  MessageSquare,
  MessagesSquare,
  ShieldCheck,
} from "lucide-react";

export type Destination = {
  readonly to: "/" | "/playground" | "/runs" | "/approvals" | "/sessions" | "/agents";
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
      { to: "/", title: "Home", icon: House },
      { to: "/playground", title: "Playground", icon: MessageSquare },
      { to: "/runs", title: "Runs", icon: ListTree },
      { to: "/approvals", title: "Approvals", icon: ShieldCheck },
      { to: "/sessions", title: "Sessions", icon: MessagesSquare },
    ],
  },
  { group: "Design", destinations: [{ to: "/agents", title: "Agents", icon: Bot }] },
];
