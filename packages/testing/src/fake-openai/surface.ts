import { chatCompletion, chatErrorEvent, chatEvents } from "./chat-completions.ts";
import type { Json, Refusal } from "./refusals.ts";
import { refuseChat } from "./refuse-chat.ts";
import { refuseResponses } from "./refuse-responses.ts";
import { responseErrorEvent, responseEvents, responseMemory, responseObject } from "./responses.ts";
import type { Answer } from "./turn.ts";

/** One of the two interfaces the server speaks. */
export type Surface = {
  /** Paths that end in it belong to the surface, so that any base URL works. */
  readonly path: string;
  refuse(body: Json): Refusal | undefined;
  /** The events of a streamed answer. */
  events(answer: Answer, body: Json): Iterable<string>;
  errorEvent(error: object): string;
  /** The body of an answer that does not stream. */
  whole(answer: Answer): object;
  /** Keeps what later requests may refer to. */
  remember(answer: Answer, body: Json): void;
};

/** The surfaces of one server; what they remember belongs to it alone. */
export function createSurfaces(): readonly Surface[] {
  return [chatSurface, responsesSurface()];
}

const chatSurface: Surface = {
  path: "/chat/completions",
  refuse: refuseChat,
  events: chatEvents,
  errorEvent: chatErrorEvent,
  whole: chatCompletion,
  remember: () => undefined,
};

function responsesSurface(): Surface {
  const items = new Map<string, Json>();
  const responses = new Map<string, readonly Json[]>();
  const store = {
    item: (id: string) => items.get(id),
    response: (id: string) => responses.get(id),
  };
  return {
    path: "/responses",
    refuse: (body) => refuseResponses(body, store),
    events: responseEvents,
    errorEvent: responseErrorEvent,
    whole: responseObject,
    remember(answer, body) {
      if (body.store === false) return;
      const memory = responseMemory(answer);
      responses.set(memory.id, memory.items);
      for (const item of memory.items) items.set(item.id, item);
    },
  };
}
