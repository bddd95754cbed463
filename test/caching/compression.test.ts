// Compressed answers: what is negotiated, that they unfold to the same bytes, and a tag for each encoding.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { loadDevChain } from "../harness/dev-chain.ts";
import { type Door, directDoor, NODE, openDoor } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { readsOf } from "./reads.ts";

const LONG = "/core/auth/v1beta1/accounts";
const SHORT = "/core/bank/v1beta1/denoms_metadata?denom=none";

const opened = openStore("memory");
let door: Door;
beforeAll(async () => {
  await loadDevChain(opened.store);
  door = directDoor(opened.store, { ...NODE, chainId: "orrery-1" });
});
afterAll(() => opened.dispose());

const ask = (path: string, accept: string, more: Record<string, string> = {}) =>
  door.ask(path, { headers: { "accept-encoding": accept, ...more } });

const UNFOLD = {
  gzip: (bytes: Uint8Array<ArrayBuffer>) => Bun.gunzipSync(bytes),
  zstd: (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(Bun.zstdDecompressSync(bytes)),
};

for (const coding of ["gzip", "zstd"] as const) {
  test(`${coding}: every read unfolds to the plain answer, and is smaller; short ones stay plain`, async () => {
    let compressed = 0;
    for (const { path } of await readsOf(door)) {
      const plain = await (await ask(path, "identity")).bytes();
      const response = await ask(path, coding);
      const body = await response.bytes();
      expect([path, response.headers.get("content-encoding")]).toEqual([path, plain.length < 1024 ? null : coding]);
      if (plain.length < 1024) {
        expect(body).toEqual(plain);
        continue;
      }
      compressed += 1;
      expect(body.length).toBeLessThan(plain.length);
      expect(Buffer.from(UNFOLD[coding](body)).equals(plain)).toBe(true);
    }
    expect(compressed).toBeGreaterThan(20);
  });
}

test("each encoding has its own tag, and only the one that would be sent makes a 304", async () => {
  const tags = new Map<string, string>();
  for (const accept of ["identity", "gzip", "zstd"])
    tags.set(accept, (await ask(LONG, accept)).headers.get("etag") ?? "");
  expect(new Set(tags.values()).size).toBe(3);
  for (const accept of tags.keys()) {
    for (const [known, tag] of tags) {
      const { status, headers } = await ask(LONG, accept, { "if-none-match": tag });
      expect([accept, known, status]).toEqual([accept, known, accept === known ? 304 : 200]);
      if (status === 304) expect(headers.get("content-encoding")).toBeNull();
    }
  }
});

test("an error stays as it is", async () => {
  const response = await ask(SHORT, "gzip, zstd");
  expect([response.status, response.headers.get("content-encoding")]).toEqual([404, null]);
  expect(await response.json()).toHaveProperty("message");
});

test("HEAD says the length of the compressed body", async () => {
  const headers = { "accept-encoding": "gzip" };
  const whole = await door.ask(LONG, { headers });
  const head = await door.ask(LONG, { method: "HEAD", headers });
  expect(head.headers.get("content-length")).toBe(String((await whole.bytes()).length));
  expect(head.headers.get("content-encoding")).toBe("gzip");
});

test("a client over a socket unfolds what it asked for", async () => {
  const socket = openDoor(opened.store);
  const plain = await (await ask(LONG, "identity")).text();
  for (const accept of ["gzip", "zstd", "br, gzip;q=0.5"]) {
    const response = await socket.ask(LONG, { headers: { "accept-encoding": accept } });
    expect(await response.text()).toBe(plain);
  }
  await socket.close();
});
