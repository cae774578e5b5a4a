/** What loops and calls of agents may cost, against plain runs of the same turn. */

import { atMost, type Gate, ratio } from "./gate.ts";

export const treeGates: readonly Gate[] = (["sqlite", "postgres"] as const).flatMap((store) => {
  const loops = `loops/${store}`;
  const trees = `trees/${store}`;
  const name = store === "sqlite" ? "SQLite" : "PostgreSQL";
  return [
    {
      group: "loops",
      title: `${name}: CPU of an iteration of ten against a plain run, 32 in flight`,
      ...atMost(1),
      places: [
        [loops, "crowd.loop.cpuUs"],
        [loops, "crowd.plain.cpuUs"],
        [loops, "iterations"],
      ],
      make: (loop = 0, plain = 0, iterations = 0) => loop / iterations / plain,
    },
    {
      group: "loops",
      title: `${name}: CPU of an iteration of 1,000 loops at once against a run of 1,000 at once`,
      ...atMost(1.25),
      places: [
        [loops, "flood.loopCpuUs"],
        [loops, "flood.plainCpuUs"],
      ],
      make: ratio,
    },
    {
      group: "trees",
      title: `${name}: CPU of a run that calls an agent against two plain runs, 32 in flight`,
      ...atMost(1.3),
      places: [
        [trees, "crowd.child.cpuUs"],
        [trees, "crowd.plain.cpuUs"],
      ],
      make: (child = 0, plain = 0) => child / plain / 2,
    },
    {
      group: "trees",
      title: `${name}: time of a run that calls an agent against two plain runs, alone`,
      ...atMost(1.3),
      places: [
        [trees, "alone.child.p50"],
        [trees, "alone.plain.p50"],
      ],
      make: (child = 0, plain = 0) => child / plain / 2,
    },
    {
      group: "trees",
      title: `${name}: CPU of a tree of 25 children at once against 26 plain runs at once`,
      ...atMost(2),
      places: [
        [trees, "wide.tree.cpuUs"],
        [trees, "wide.plain.cpuUs"],
      ],
      make: ratio,
    },
  ] satisfies readonly Gate[];
});
