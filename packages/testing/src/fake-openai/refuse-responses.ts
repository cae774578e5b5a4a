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

/** What a server that stores answers knows of them. */
export type ResponseStore = {
  item(id: string): Json | undefined;
  response(id: string): readonly Json[] | undefined;
};

/** Why the real Responses API would refuse the request, or `undefined`. */
export function refuseResponses(body: Json, store: ResponseStore): Refusal | undefined {
  return firstRefusal(
    () => refuseModel(body),
    () => refuseTools(body, (tool) => tool.name),
    () => refuseInput(body, store),
  );
}

function refuseInput(body: Json, store: ResponseStore): Refusal | undefined {
  const { input, previous_response_id: previous } = body;
  const earlier = isText(previous) ? store.response(previous) : [];
  if (earlier === undefined) {
    const message = `previous response with id '${String(previous)}' not found`;
    return refusal("previous_response_id", message);
  }
  if (isText(input)) return refuseUnanswered(earlier, []);
  if (!Array.isArray(input) || input.length === 0) {
    return refusal("input", "expected a text or at least one item");
  }
  const items: Json[] = [];
  for (const [index, item] of input.entries()) {
    const resolved = resolveItem(item, `input[${index}]`, store);
    if ("message" in resolved) return resolved.message;
    items.push(resolved.item);
  }
  return (
    items.map((item, index) => refuseItem(item, `input[${index}]`)).find(isRefusal) ??
    refuseUnanswered(earlier, items)
  );
}

const isRefusal = (value: Refusal | undefined): value is Refusal => value !== undefined;

type Resolved = { readonly item: Json } | { readonly message: Refusal };

function resolveItem(item: unknown, param: string, store: ResponseStore): Resolved {
  if (!isJson(item)) return { message: refusal(param, "expected an item") };
  if (item.type !== "item_reference") return { item };
  const stored = isText(item.id) ? store.item(item.id) : undefined;
  if (stored !== undefined) return { item: stored };
  return { message: refusal(param, `item with id '${String(item.id)}' not found`) };
}

function refuseItem(item: Json, param: string): Refusal | undefined {
  if (item.type !== "function_call") return undefined;
  return firstRefusal(
    () => (isText(item.call_id) ? undefined : refusal(`${param}.call_id`, "expected a string")),
    () => refuseToolName(item.name, param),
    () => refuseArguments(item.arguments, param),
  );
}

/** Every call needs a result, and every result a call before it. */
function refuseUnanswered(earlier: readonly Json[], items: readonly Json[]): Refusal | undefined {
  const open = new Set<unknown>();
  for (const item of [...earlier, ...items]) {
    if (item.type === "function_call") open.add(item.call_id);
    if (item.type === "function_call_output" && !open.delete(item.call_id)) {
      const id = String(item.call_id);
      return refusal("input", `no tool call found for function call output with call_id ${id}`);
    }
  }
  const [missing] = open;
  return open.size === 0
    ? undefined
    : refusal("input", `no tool output found for function call ${String(missing)}`);
}
