import { expect, it } from "vitest";
import { type Hostable, startTestHost } from "./test-host.ts";

it("serves what was created under its own address until it is closed", async () => {
  const hosted = hostable();
  const host = await startTestHost(() => Promise.resolve(hosted));

  const answer = await fetch(`${host.url}/hello`);

  expect(host.url).toBe(`${host.origin}/prefix`);
  expect(host.tracon).toBe(hosted);
  expect(await answer.text()).toBe("/prefix/hello");

  await host.close();

  await expect(fetch(host.url)).rejects.toThrow();
});

it("ends an open answer and closes what it hosts once, however often it is closed", async () => {
  const hosted = hostable();
  const host = await startTestHost(() => hosted);
  const open = await fetch(`${host.url}/never-ending`);

  await Promise.all([host.close(), host.close(), host[Symbol.asyncDispose]()]);

  await expect(open.text()).rejects.toThrow();
  expect(hosted.closedWith).toEqual([{ graceMs: 0 }]);
});

it("rejects with the reason why nothing could be created", async () => {
  const refused = new Error("the configuration is not valid");

  await expect(startTestHost(() => Promise.reject<Hostable>(refused))).rejects.toBe(refused);
});

function hostable() {
  const closedWith: unknown[] = [];
  return {
    closedWith,
    prefix: "/prefix",
    node:
      (): ReturnType<Hostable["node"]> =>
      ({ url = "" }, response) => {
        if (url.endsWith("/never-ending")) response.write("…");
        else response.end(url);
      },
    close(options?: { readonly graceMs?: number }) {
      closedWith.push(options);
      return Promise.resolve();
    },
  };
}
