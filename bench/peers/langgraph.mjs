/**
 * LangGraph: its ready-made agent with the SQLite checkpointer, a thread of its own for each run, and
 * durability `exit`: one save, when the run has ended.
 */

import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import * as z from "zod";
import {
  ANSWER,
  checkAnswer,
  createScript,
  INSTRUCTIONS,
  nextCallId,
  TOOL_ARGUMENTS,
  TOOL_DESCRIPTION,
  TOOL_NAME,
  TOOL_RESULT,
  USER_MESSAGE,
} from "../fixture.ts";

const USAGE = { input_tokens: 300, output_tokens: 100, total_tokens: 400 };

export async function open({ folder }) {
  const script = createScript();
  const agent = createReactAgent({
    llm: new BenchChatModel(script),
    prompt: INSTRUCTIONS,
    checkpointer: SqliteSaver.fromConnString(`${folder}/langgraph.db`),
    tools: [
      tool(async () => TOOL_RESULT, {
        name: TOOL_NAME,
        description: TOOL_DESCRIPTION,
        schema: z.object({ orderId: z.string() }),
      }),
    ],
  });
  let thread = 0;
  return {
    script,
    async run() {
      thread += 1;
      const input = { messages: [{ role: "user", content: USER_MESSAGE }] };
      const configurable = { thread_id: `thread-${thread}` };
      const result = await agent.invoke(input, {
        configurable,
        durability: "exit",
        recursionLimit: 1_000,
      });
      checkAnswer(result.messages.at(-1).content, script);
    },
    async stream() {
      throw new Error("LangGraph is measured with whole answers only");
    },
    close: async () => undefined,
  };
}

class BenchChatModel extends BaseChatModel {
  #script;

  constructor(script) {
    super({});
    this.#script = script;
  }

  _llmType() {
    return "bench";
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const made = messages.filter((message) => message.getType() === "tool").length;
    const message =
      made < this.#script.toolCalls
        ? new AIMessage({ content: "", usage_metadata: USAGE, tool_calls: [toolCall()] })
        : new AIMessage({ content: ANSWER, usage_metadata: USAGE });
    return { generations: [{ text: message.text, message }] };
  }
}

const toolCall = () => ({
  id: nextCallId(),
  name: TOOL_NAME,
  args: JSON.parse(TOOL_ARGUMENTS),
  type: "tool_call",
});
