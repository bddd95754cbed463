import { expect, test } from "bun:test";
import { serveHttp } from "./serve.ts";

test("a port has one owner: a second server is refused, not let in beside the first", async () => {
  const app = { fetch: () => new Response("first") };
  const first = serveHttp(app, { host: "127.0.0.1", port: 0 });
  try {
    expect(() => serveHttp(app, { host: "127.0.0.1", port: first.port })).toThrow(/EADDRINUSE|in use/);
  } finally {
    await first.stop();
  }
});
