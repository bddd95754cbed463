// Questions that were answered at the newest height, by their address. Until the next block the answer to the same
// question is the same: it is given again, without reading the question.

import { Generations, SHARE_OF } from "../generations.ts";
import { HEIGHT, HEIGHT_PRIMARY, MIN_HEIGHT, TIME } from "./headers.ts";
import type { Text } from "./print-body.ts";

export type Answered = {
  readonly height: bigint;
  /** Of the operation. */
  readonly id: string;
  readonly text: Text;
};

/** Larger answers are pages, of which there are too many to meet the same one again soon. */
const LARGEST = 16 * 1024;
const OVERHEAD = 200;

export class AnsweredQuestions {
  readonly #byUrl = new Generations<string, Answered>(
    SHARE_OF.answers,
    (url, { text }) => url.length + (text.isKept ? 0 : text.bytes.length) + OVERHEAD,
  );

  get(url: string, newest: bigint): Answered | undefined {
    const known = this.#byUrl.get(url);
    return known?.height === newest ? known : undefined;
  }

  set(url: string, { height, id, text }: Answered): void {
    if (text.bytes.length > LARGEST) return;
    const { fingerprint } = text;
    this.#byUrl.set(url, {
      height,
      id,
      text: text.isKept ? text : { bytes: text.bytes.slice(), fingerprint, isKept: true },
    });
  }
}

/** Whether more than the address decides about the answer. */
export function asksForHeight(headers: Headers): boolean {
  return headers.has(HEIGHT) || headers.has(HEIGHT_PRIMARY) || headers.has(TIME) || headers.has(MIN_HEIGHT);
}
