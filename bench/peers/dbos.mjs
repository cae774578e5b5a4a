/** DBOS: the bare loop as a durable workflow on PostgreSQL, every model and tool call a step. */

import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  ANSWER,
  checkAnswer,
  createScript,
  nextCallId,
  TOOL_ARGUMENTS,
  TOOL_NAME,
  TOOL_RESULT,
  USER_MESSAGE,
} from "../fixture.ts";

const silent = () => undefined;
const quiet = { debug: silent, info: silent, warn: silent, error: silent };

export async function open({ postgresUrl }) {
  const script = createScript();
  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl: postgresUrl,
    systemDatabasePoolSize: 10,
    tracingEnabled: false,
    logger: quiet,
    runAdminServer: false,
  });
  const model = async (messages) =>
    messages.filter(({ role }) => role === "tool").length < script.toolCalls
      ? { calls: [{ id: nextCallId(), name: TOOL_NAME, input: TOOL_ARGUMENTS }] }
      : { text: ANSWER };
  const workflow = DBOS.registerWorkflow(
    async (message) => {
      const messages = [{ role: "user", content: message }];
      for (;;) {
        const answer = await DBOS.runStep(() => model(messages), { name: "model" });
        if (answer.calls === undefined) return answer.text;
        messages.push({ role: "assistant", calls: answer.calls });
        for (const { id } of answer.calls) {
          const content = await DBOS.runStep(async () => TOOL_RESULT, { name: TOOL_NAME });
          messages.push({ role: "tool", id, content });
        }
      }
    },
    { name: "agent" },
  );
  await DBOS.launch();
  return {
    script,
    async run() {
      checkAnswer(await workflow(USER_MESSAGE), script);
    },
    async stream() {
      throw new Error("DBOS is measured with whole answers only");
    },
    close: () => DBOS.shutdown(),
  };
}
