/** Tells a model at the start of every turn which mode it is in, and when somebody else changed it. */

import { DEFAULT_MODES, showMode } from "./agent-mode.ts";
import { type HarnessProvider, noteToModel } from "./harness-provider.ts";

export const modeProvider: HarnessProvider = {
  name: "agent-mode",

  before({ state }) {
    const { current, before } = showMode(state);
    const instructions = INSTRUCTIONS_OF.get(current);
    return {
      ...(instructions === undefined ? {} : { instructions }),
      ...(before === undefined ? {} : { messages: [noteToModel(noticeOf(before, current))] }),
    };
  },
};

const noticeOf = (before: string, current: string): string =>
  `Your mode was changed from '${before}' to '${current}'. Go on as mode '${current}' says.`;

const MEANING: Readonly<Record<(typeof DEFAULT_MODES)[number], string>> = {
  plan: "Find out what has to be done and say how you would do it. Ask the user about what is not clear. Change nothing yet. When the user agrees, or there is nothing to ask, go on in mode 'execute'.",
  execute:
    "Do the work by yourself and finish it. Decide what is not clear, and say what you assumed.",
};

const AVAILABLE = DEFAULT_MODES.map((name) => `- ${name}: ${MEANING[name]}`);

const INSTRUCTIONS_OF: ReadonlyMap<string, string> = new Map(
  DEFAULT_MODES.map((name) => {
    const current = `You are in mode '${name}'. Change it with mode_set. These are the modes:`;
    return [name, ["## Mode", current, ...AVAILABLE].join("\n")];
  }),
);
