import { expect, it } from "vitest";
import type { ConsoleFile } from "./server-options.ts";
import { testServer } from "./testing/test-server.ts";

const file = (text: string, contentType: string, immutable = false): ConsoleFile => ({
  body: new TextEncoder().encode(text),
  contentType,
  immutable,
});

const built: ReadonlyMap<string, ConsoleFile> = new Map([
  ["index.html", file('<head><base href="/tracon/" /></head>', "text/html; charset=utf-8")],
  ["assets/app-1a2b.js", file("run()", "text/javascript", true)],
  ["favicon.svg", file("<svg/>", "image/svg+xml")],
]);
const asked: string[] = [];
const consoleFiles = (path: string) => {
  asked.push(path);
  return built.get(path);
};
const page = { headers: { accept: "text/html,*/*;q=0.8" } };

it("serves the page at the prefix, with the prefix as its base", async () => {
  const response = await testServer({ consoleFiles, prefix: "/ops/x" }).ask("/ops/x/");

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-cache");
  expect(await response.text()).toBe('<head><base href="/ops/x/" /></head>');
});

it("serves the page at the root of the host", async () => {
  const response = await testServer({ consoleFiles, prefix: "/" }).ask("/");

  expect(await response.text()).toContain('<base href="/" />');
});

it("redirects the prefix without its slash, because relative addresses need it", async () => {
  const response = await testServer({ consoleFiles }).ask("/tracon?theme=dark");

  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe("/tracon/?theme=dark");
});

it("serves files, those with a hashed name for good", async () => {
  const server = testServer({ consoleFiles });

  const script = await server.ask("/tracon/assets/app-1a2b.js");
  const icon = await server.ask("/tracon/favicon.svg?v=2");

  expect(await script.text()).toBe("run()");
  expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(icon.headers.get("content-type")).toBe("image/svg+xml");
});

it.each([
  "/tracon/runs",
  "/tracon/runs/1/",
  "/tracon/agents/my.agent",
  "/tracon/%C3%A9",
  "/tracon/docsx",
])("answers the console's own address %s with the page", async (path) => {
  const response = await testServer({ consoleFiles }).ask(path, page);

  expect(response.status).toBe(200);
  expect(await response.text()).toContain("<base");
});

it.each(["/tracon/assets/gone-1a2b.js", "/tracon/robots.txt"])(
  "does not answer the missing file %s with the page",
  async (path) => {
    const response = await testServer({ consoleFiles }).ask(path);

    expect(response.status).toBe(404);
  },
);

it.each([
  "/tracon/api/runsx",
  "/tracon/api",
  "/tracon/v1/x",
  "/tracon/docs/x",
  "/tracon/openapi.json/x",
])("does not answer %s with the page", async (path) => {
  const response = await testServer({ consoleFiles }).ask(path, page);

  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
});

it.each(["..%2fsecret", "a%2f..%2fb", "a%5c..%5cb", "%00", ".%2f"])(
  "asks for no file at %s",
  async (path) => {
    asked.length = 0;

    const response = await testServer({ consoleFiles }).ask(`/tracon/${path}`, page);

    expect(response.status).toBe(404);
    expect(asked).toEqual([]);
  },
);

it("lets nothing run that it does not serve itself, and nobody frame it", async () => {
  const response = await testServer({ consoleFiles }).ask("/tracon/");

  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
});

it("answers nothing but reading", async () => {
  const response = await testServer({ consoleFiles }).ask("/tracon/runs", { method: "POST" });

  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
});

it("has no page without a built console", async () => {
  const server = testServer();

  const answers = [
    await server.ask("/tracon"),
    await server.ask("/tracon/"),
    await server.ask("/tracon/x"),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});
