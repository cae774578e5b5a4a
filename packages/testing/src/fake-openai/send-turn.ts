import { type Json, type Refusal, refusal } from "./refusals.ts";
import type { Surface } from "./surface.ts";
import { answerOf, type FakeHttpError, type FakeOpenAiTurn } from "./turn.ts";
import { type Sent, sendBody, sendEvents, type Wire, waitForHeaders } from "./wire.ts";

/** The request a turn answers. */
export type TurnRequest = {
  readonly surface: Surface;
  readonly body: Json;
  /** Number of the answer, for ids. */
  readonly number: number;
};

/** Answers a request with a turn, faults and all. */
export async function sendTurn(
  wire: Wire,
  turn: FakeOpenAiTurn,
  { surface, body, number }: TurnRequest,
): Promise<Sent> {
  if (!(await waitForHeaders(wire))) return "gone";
  if (turn.http !== undefined) return sendHttpError(wire, turn.http);
  const answer = answerOf(turn, number, String(body.model));
  surface.remember(answer, body);
  return body.stream === true
    ? sendEvents(wire, surface.events(answer, body), surface.errorEvent)
    : sendBody(wire, 200, JSON.stringify(surface.whole(answer)));
}

/** Answers with an error as OpenAI words it. */
export const sendRefusal = (wire: Wire, status: number, refused: Refusal): Promise<Sent> =>
  sendBody(wire, status, JSON.stringify(errorObject(status, refused)));

function sendHttpError(wire: Wire, { status, headers, body }: FakeHttpError): Promise<Sent> {
  for (const [name, value] of Object.entries(headers ?? {})) wire.response.setHeader(name, value);
  const given = body ?? errorObject(status, refusal("", `the script answers ${status}`));
  return sendBody(wire, status, typeof given === "string" ? given : JSON.stringify(given));
}

const errorObject = (status: number, { message, param }: Refusal): object => ({
  error: {
    message,
    type: status >= 500 ? "server_error" : "invalid_request_error",
    param: param === "" ? null : param,
    code: status === 401 ? "invalid_api_key" : null,
  },
});
