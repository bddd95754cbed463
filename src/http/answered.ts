// Questions that were answered at the newest height, by their address. Until the next block the answer to the same
// question is the same: it is given again, without reading the question.

import type { Body } from "../api/answer-body.ts";
import { Kept, SHARE_OF } from "../kept.ts";
import { HEIGHT, HEIGHT_PRIMARY, MIN_HEIGHT, TIME } from "./headers.ts";
import type { BodyPrinter, Text } from "./print-body.ts";

export type Answered = {
  readonly height: bigint;
  /** Of the operation. */
  readonly id: string;
  readonly text: () => Text;
  /** What is kept for it, in bytes. */
  readonly size: number;
};

/** An answer as it was made. */
export type Made = {
  readonly height: bigint;
  readonly id: string;
  readonly body: Body;
  readonly print: BodyPrinter;
  readonly text: Text;
};

/** Larger answers are pages, of which there are too many to meet the same one again soon. */
const LARGEST = 8 * 1024;
const OVERHEAD = 300;

export class AnsweredQuestions {
  readonly #byUrl = new Kept<string, Answered>(SHARE_OF.answers, (url, { size }) => url.length + size + OVERHEAD);

  get(url: string, newest: bigint): Answered | undefined {
    const known = this.#byUrl.get(url);
    if (known === undefined || known.height === newest) return known;
    this.#byUrl.delete(url);
    return undefined;
  }

  set(url: string, { height, id, body, print, text }: Made): void {
    if (text.bytes.length > LARGEST) return;
    if ("record" in body) {
      // Its text is kept by the record, for all questions that lead to it.
      this.#byUrl.set(url, { height, id, text: () => print(body), size: body.record.length });
    } else {
      const copy: Text = { bytes: text.bytes.slice(), fingerprint: text.fingerprint };
      this.#byUrl.set(url, { height, id, text: () => copy, size: copy.bytes.length });
    }
  }
}

/** Whether more than the address decides about the answer. */
export function asksForHeight(headers: Headers): boolean {
  return headers.has(HEIGHT) || headers.has(HEIGHT_PRIMARY) || headers.has(TIME) || headers.has(MIN_HEIGHT);
}
