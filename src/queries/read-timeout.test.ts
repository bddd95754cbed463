import { expect, test } from "bun:test";
import type { ApiError } from "../api/errors.ts";
import { EMPTY } from "../codec/bytes.ts";
import { openMemoryStore } from "../store/memory.ts";
import { answerFrom } from "./queries.ts";

/** Works on and gives way, as a long search does. */
async function longRead(forMs: number, giveWay: () => Promise<void>): Promise<typeof EMPTY> {
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    const pause = performance.now() + 6;
    while (performance.now() < pause);
    await giveWay();
  }
  return EMPTY;
}

test("a read that takes too long is ended with 504 where it gives way, and its snapshot is closed", async () => {
  const store = openMemoryStore();
  await store.commit(1n, []);
  let closed = 0;
  const at = store.at.bind(store);
  store.at = (height) => {
    const view = at(height);
    const close = view.close.bind(view);
    view.close = () => {
      closed += 1;
      close();
    };
    return view;
  };
  const answer = answerFrom(store, 50)<number>((_view, forMs, giveWay) => longRead(forMs, giveWay));
  const refusal = (error: ApiError) => [error.status, error.code, error.message];
  expect(await answer(60_000, undefined).then(() => "answered", refusal)).toEqual([
    504,
    4,
    "the answer was not ready within 50 ms",
  ]);
  expect((await answer(0, undefined)).height).toBe(1n);
  expect(closed).toBe(2);
  await store.close();
});
