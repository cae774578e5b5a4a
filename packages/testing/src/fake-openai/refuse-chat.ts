import {
  firstRefusal,
  isJson,
  isText,
  type Json,
  type Refusal,
  refusal,
  refuseArguments,
  refuseModel,
  refuseToolName,
  refuseTools,
} from "./refusals.ts";

const ROLES: ReadonlySet<unknown> = new Set(["assistant", "developer", "system", "tool", "user"]);
/** The service's own limit. */
const MAX_CALL_ID_LENGTH = 40;

/** Why the real Chat Completions would refuse the request, or `undefined`. */
export function refuseChat(body: Json): Refusal | undefined {
  return firstRefusal(
    () => refuseModel(body),
    () => refuseTools(body, (tool) => (isJson(tool.function) ? tool.function.name : undefined)),
    () => refuseMessages(body.messages),
  );
}

function refuseMessages(messages: unknown): Refusal | undefined {
  if (!Array.isArray(messages) || messages.length === 0) {
    return refusal("messages", "[] is too short - 'messages'");
  }
  const open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const refused = refuseMessage(message, `messages[${index}]`, open);
    if (refused !== undefined) return refused;
  }
  return open.size === 0 ? undefined : unanswered("messages", open);
}

/** `open` holds the calls of the last assistant message that have no result yet. */
function refuseMessage(message: unknown, param: string, open: Set<string>): Refusal | undefined {
  if (!isJson(message) || !ROLES.has(message.role)) {
    return refusal(`${param}.role`, "the message has no role of the known ones");
  }
  if (message.role === "tool") {
    const id = message.tool_call_id;
    if (typeof id === "string" && open.delete(id)) return undefined;
    const rule = "must be a response to a preceding message with 'tool_calls'";
    return refusal(`${param}.role`, `messages with role 'tool' ${rule}`);
  }
  if (open.size > 0) return unanswered(param, open);
  const calls = message.tool_calls;
  if (message.role === "assistant" && calls !== undefined && calls !== null) {
    return refuseCalls(calls, `${param}.tool_calls`, open);
  }
  const { content } = message;
  const hasContent = typeof content === "string" || (Array.isArray(content) && content.length > 0);
  return hasContent ? undefined : refusal(`${param}.content`, "expected a string or parts");
}

function refuseCalls(calls: unknown, param: string, open: Set<string>): Refusal | undefined {
  if (!Array.isArray(calls) || calls.length === 0) {
    return refusal(param, "[] is too short - 'tool_calls'");
  }
  for (const [index, call] of calls.entries()) {
    const at = `${param}[${index}]`;
    if (!isJson(call) || !isJson(call.function)) return refusal(at, "the call has no function");
    const { id, function: called } = call;
    if (!isText(id) || id.length > MAX_CALL_ID_LENGTH) {
      return refusal(`${at}.id`, `expected a string of at most ${MAX_CALL_ID_LENGTH} characters`);
    }
    const refused = firstRefusal(
      () => refuseToolName(called.name, `${at}.function`),
      () => refuseArguments(called.arguments, `${at}.function`),
    );
    if (refused !== undefined) return refused;
    open.add(id);
  }
  return undefined;
}

function unanswered(param: string, open: ReadonlySet<string>): Refusal {
  const rule = "must be followed by tool messages responding to each 'tool_call_id'";
  const missing = [...open].join(", ");
  return refusal(param, `an assistant message with 'tool_calls' ${rule}; missing: ${missing}`);
}
