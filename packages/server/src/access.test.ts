import { expect, it } from "vitest";
import { problemIn, testServer } from "./testing/test-server.ts";

const TOKEN = "correct horse";
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

it.each(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", undefined])(
  "answers %s without a token",
  async (remoteAddress) => {
    const info = remoteAddress === undefined ? {} : { remoteAddress };

    const response = await testServer().ask("/tracon/api/agents", {}, info);

    expect(response.status).toBe(200);
  },
);

it.each(["10.0.0.7", "192.168.1.2", "::2", "::ffff:10.0.0.1", "127.0.0.1.evil.example", ""])(
  "refuses %j without a token",
  async (remoteAddress) => {
    const response = await testServer({ allowRemote: true }).ask(
      "/tracon/api/agents",
      {},
      { remoteAddress },
    );

    expect(response.status).toBe(403);
    expect(await problemIn(response)).toMatchObject({ code: "host_not_allowed" });
  },
);

it.each(["x-forwarded-for", "forwarded", "x-real-ip"])(
  "takes a request with %s for a remote one",
  async (header) => {
    const response = await testServer().ask(
      "/tracon/api/agents",
      { headers: { [header]: "127.0.0.1" } },
      { remoteAddress: "127.0.0.1" },
    );

    expect(response.status).toBe(403);
  },
);

it.each([
  "localhost",
  "localhost:7717",
  "app.localhost:80",
  "127.0.0.1:1",
  "[::1]:7717",
  "LOCALHOST",
])("answers to the host %s", async (host) => {
  const response = await testServer().ask("/tracon/api/agents", { headers: { host } });

  expect(response.status).toBe(200);
});

it.each([
  "evil.example",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "evil-localhost",
  "0.0.0.0",
  "localhost:7717@evil.example",
  "",
])("refuses the host %j: a name may be rebound to this machine", async (host) => {
  const response = await testServer().ask("/tracon/api/agents", { headers: { host } });

  expect(response.status).toBe(403);
  expect(await problemIn(response)).toMatchObject({ code: "host_not_allowed" });
});

it.each([
  "http://localhost:3000",
  "https://app.localhost",
  "http://127.0.0.1:5173",
  "http://[::1]",
])("answers pages of %s", async (origin) => {
  const response = await testServer().ask("/tracon/api/agents", { headers: { origin } });

  expect(response.status).toBe(200);
});

it.each(["https://evil.example", "null", "http://localhost.evil.example", "file://localhost"])(
  "refuses pages of %s",
  async (origin) => {
    const response = await testServer().ask("/tracon/api/agents", { headers: { origin } });

    expect(response.status).toBe(403);
  },
);

it("never allows another site to read an answer", async () => {
  const server = testServer({ token: TOKEN });
  const headers = { origin: "https://evil.example", authorization: `Bearer ${TOKEN}` };

  const answers = [
    await server.ask("/tracon/api/agents", { headers }),
    await server.ask("/tracon/api/agents", { method: "OPTIONS", headers }),
  ];

  for (const { headers } of answers) {
    expect([...headers.keys()].filter((it) => it.startsWith("access-control-"))).toEqual([]);
  }
});

it("asks for the token when one is configured", async () => {
  const response = await testServer({ token: TOKEN }).ask("/tracon/api/agents");

  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe('Bearer realm="tracon"');
  expect(await problemIn(response)).toMatchObject({ code: "unauthorized" });
});

it.each(["correct", "correct horse battery", "", "CORRECT HORSE"])(
  "refuses the token %j",
  async (token) => {
    const server = testServer({ token: "correct-horse" });

    const response = await server.ask("/tracon/api/agents", bearer(token));

    expect(response.status).toBe(401);
  },
);

it("refuses another scheme than Bearer", async () => {
  const headers = { authorization: "Basic correct-horse" };

  const response = await testServer({ token: "correct-horse" }).ask("/tracon/api/agents", {
    headers,
  });

  expect(response.status).toBe(401);
});

it("answers the bearer of the token from this machine under any host", async () => {
  const headers = { authorization: "bearer correct-horse", host: "box.example" };

  const response = await testServer({ token: "correct-horse" }).ask("/tracon/api/agents", {
    headers,
  });

  expect(response.status).toBe(200);
});

it("answers the bearer of the token from elsewhere only when remote access is on", async () => {
  const elsewhere = { remoteAddress: "10.0.0.7" };
  const off = testServer({ token: "correct-horse" });
  const on = testServer({ token: "correct-horse", allowRemote: true });

  const refused = await off.ask("/tracon/api/agents", bearer("correct-horse"), elsewhere);
  const answered = await on.ask("/tracon/api/agents", bearer("correct-horse"), elsewhere);

  expect(refused.status).toBe(403);
  expect(await problemIn(refused)).toMatchObject({ code: "forbidden" });
  expect(answered.status).toBe(200);
});

it("answers /api/meta to everyone and says what the caller may do", async () => {
  const server = testServer({ token: "correct-horse" });
  const elsewhere = { remoteAddress: "10.0.0.7" };

  const stranger = await server.ask("/tracon/api/meta", {}, elsewhere);
  const bearing = await server.ask("/tracon/api/meta", bearer("correct-horse"));

  expect(stranger.status).toBe(200);
  expect(await stranger.json()).toMatchObject({ roles: { canRead: false } });
  expect(await bearing.json()).toMatchObject({ roles: { canRead: true, canAdminister: true } });
});

it.each(["/tracon/openapi.json", "/tracon/docs", "/tracon/", "/tracon/runs/1"])(
  "serves %s without a credential, but not to other machines",
  async (path) => {
    const consoleFiles = () => ({
      body: new Uint8Array(),
      contentType: "text/html",
      immutable: false,
    });
    const server = testServer({ token: TOKEN, consoleFiles });

    const here = await server.ask(path);
    const elsewhere = await server.ask(path, {}, { remoteAddress: "10.0.0.7" });

    expect(here.status).toBe(200);
    expect(elsewhere.status).toBe(403);
  },
);

it("asks for the token before it tells which paths exist", async () => {
  const server = testServer({ token: TOKEN });

  const answers = [
    await server.ask("/tracon/api/nothing"),
    await server.ask("/tracon/api/agents", { method: "PATCH" }),
    await server.ask("/tracon/api/runs/not-a-run"),
  ];

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
});
