/** The floor: a loop of model and tool written by hand. Nothing is stored and nothing checked. */

import {
  ANSWER,
  checkAnswer,
  createScript,
  nextCallId,
  pause,
  type Script,
  TOOL_ARGUMENTS,
  TOOL_NAME,
  TOOL_RESULT,
  thought,
  USER_MESSAGE,
} from "../fixture.ts";
import type { Subject } from "./subject.ts";

export type BareCall = { readonly id: string; readonly name: string; readonly input: string };

/** What a loop reports; whoever records it may make the loop wait. */
export type BareObserver = {
  started(): Promise<void>;
  calling(call: BareCall): Promise<void>;
  called(call: BareCall, result: string): Promise<void>;
  delta(text: string): void;
  ended(text: string): Promise<void>;
};

const execute = async (_input: unknown): Promise<string> => TOOL_RESULT;

/** One run of the script, with nothing between model and tool but the observer. */
export async function bareRun(script: Script, observer: BareObserver): Promise<string> {
  const { toolCalls, deltas, deltaMs } = script;
  const messages: unknown[] = [{ role: "user", content: USER_MESSAGE }];
  await observer.started();
  for (let made = 0; made < toolCalls; made++) {
    await thought(script, true);
    const call = await askForTool();
    await observer.calling(call);
    const result = await execute(JSON.parse(call.input));
    await observer.called(call, result);
    messages.push({ role: "assistant", calls: [call] }, { role: "tool", content: result });
  }
  await thought(script, false);
  let text = deltas === undefined ? ANSWER : "";
  for await (const delta of answer(deltas ?? [])) {
    if (deltaMs > 0) await pause(deltaMs);
    text += delta;
    observer.delta(delta);
  }
  await observer.ended(text);
  return text;
}

const askForTool = async (): Promise<BareCall> => ({
  id: nextCallId(),
  name: TOOL_NAME,
  input: TOOL_ARGUMENTS,
});

async function* answer(deltas: readonly string[]): AsyncGenerator<string> {
  yield* deltas;
}

const nobody: BareObserver = {
  started: async () => undefined,
  calling: async () => undefined,
  called: async () => undefined,
  delta: () => undefined,
  ended: async () => undefined,
};

export async function open(): Promise<Subject> {
  const script = createScript();
  const run = async () => checkAnswer(await bareRun(script, nobody), script);
  return { script, run, stream: run, close: async () => undefined };
}
