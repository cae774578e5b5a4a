/** The HTTP API as tests call it: plain requests, no client library. */

export type Api = {
  readonly url: string;
  /** Starts a run as a stream. */
  stream(agent: string, options?: RunOptions): Promise<Response>;
  /** Runs to the end and answers the result. */
  run(agent: string, options?: RunOptions): Promise<RunAnswer>;
  /** The recorded events as a stream, after a cursor. */
  events(runId: string, options?: EventOptions): Promise<Response>;
  /** All recorded events as the JSON form answers them, page by page. */
  recorded(runId: string): Promise<readonly RecordedEvent[]>;
  /** A JSON answer with its status. */
  json(method: string, path: string, body?: unknown): Promise<JsonAnswer>;
};

export type RecordedEvent = {
  readonly sequence: number;
  readonly type: string;
  readonly text?: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

export type RunAnswer = Readonly<Record<string, unknown>> & {
  readonly runId: string;
  readonly status: string;
};

type RunOptions = {
  readonly message?: string;
  readonly sessionId?: string;
  readonly query?: string;
  readonly signal?: AbortSignal;
};
type EventOptions = { readonly after?: number | string; readonly signal?: AbortSignal };
type JsonAnswer = {
  readonly status: number;
  readonly headers: Headers;
  // Tests look into answers of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
};

export function tracon(url: string): Api {
  const run = (
    agent: string,
    accept: string,
    { message = "Hi", sessionId, query = "", signal }: RunOptions,
  ) =>
    fetch(`${url}/api/agents/${encodeURIComponent(agent)}/run${query}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept },
      body: JSON.stringify({ message, sessionId }),
      signal: signal ?? null,
    });

  const json: Api["json"] = async (method, path, body) => {
    const response = await fetch(path.startsWith("http") ? path : url + path, {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, body: text === "" ? undefined : JSON.parse(text) };
  };

  return {
    url,
    stream: (agent, options = {}) => run(agent, "text/event-stream", options),
    run: async (agent, options = {}) =>
      (await run(agent, "application/json", options)).json() as Promise<RunAnswer>,
    events: (runId, { after, signal } = {}) =>
      fetch(`${url}/api/runs/${runId}/events`, {
        headers: after === undefined ? {} : { "last-event-id": String(after) },
        signal: signal ?? null,
      }),
    async recorded(runId) {
      const events: RecordedEvent[] = [];
      for (;;) {
        const after = events.at(-1)?.sequence ?? -1;
        const query = after < 0 ? "" : `&after=${after}`;
        const { body } = await json("GET", `/api/runs/${runId}/events?take=200${query}`);
        events.push(...body);
        if (body.length < 200) return events;
      }
    },
    json,
  };
}
