// One message type, compiled: prints the fields in their declared order while it reads them in that order. Bytes that
// come in another order, or set a single field twice, are legal; they are put in order first, which is rare and slower.

import type { JsonBuffer } from "./json-buffer.ts";
import { MAX_DEPTH } from "./json-spelling.ts";
import type { FieldPlan } from "./transcode-field.ts";
import { inFieldOrder } from "./transcode-order.ts";
import { WireCursor, WireError } from "./wire-cursor.ts";

const SMALL_TAGS = 128;
const UNKNOWN = -1;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export class MessagePlan {
  readonly name: string;
  /** In declared order. Filled after construction, because a message may contain itself. */
  readonly fields: FieldPlan[] = [];
  /** Index of the field of a tag: a table for the tags of one byte, a map for the others. */
  readonly #small = new Int16Array(SMALL_TAGS).fill(UNKNOWN);
  readonly #large = new Map<number, number>();
  readonly #numbers = new Set<number>();

  constructor(name: string) {
    this.name = name;
  }

  add(field: FieldPlan): void {
    for (const tag of field.tags) {
      this.#numbers.add(tag >>> 3);
      if (tag < SMALL_TAGS) this.#small[tag] = this.fields.length;
      else this.#large.set(tag, this.fields.length);
    }
    this.fields.push(field);
  }

  /** The message between the cursor and `end` as a JSON object. */
  printObject(cursor: WireCursor, out: JsonBuffer, end: number): void {
    const mark = out.length;
    this.printFields(cursor, out, end);
    closeObject(out, mark);
  }

  /** Its fields, each behind a comma. */
  printFields(cursor: WireCursor, out: JsonBuffer, end: number): void {
    if (++cursor.depth > MAX_DEPTH) throw new WireError(`messages more than ${MAX_DEPTH} levels deep`);
    const start = cursor.at;
    const mark = out.length;
    if (cursor.careful || !this.#printInOrder(cursor, out, end)) {
      out.length = mark;
      const ordered = inFieldOrder(this, cursor.bytes.subarray(start, end));
      // Careful from here down: else every level that is out of order would print all that is below it twice.
      this.#printInOrder(new WireCursor(ordered, cursor.depth, true), out, ordered.length);
      cursor.at = end;
    }
    cursor.depth--;
  }

  /** The index of the field that has this tag, -1 for a field that the message does not know. */
  indexOf(tag: number): number {
    const index = tag < SMALL_TAGS ? this.#small[tag]! : (this.#large.get(tag) ?? UNKNOWN);
    if (index === UNKNOWN && this.#numbers.has(tag >>> 3)) {
      throw new WireError(`${this.name}: field ${tag >>> 3} with wire type ${tag & 7}`);
    }
    return index;
  }

  /** False as soon as a field comes that should have come before, or that excludes one that was printed. */
  #printInOrder(cursor: WireCursor, out: JsonBuffer, end: number): boolean {
    const { fields } = this;
    let next = 0;
    let oneofs = 0;
    while (cursor.at < end) {
      const tag = cursor.tag(end);
      const index = this.indexOf(tag);
      if (index === UNKNOWN) {
        cursor.skip(tag, end);
        continue;
      }
      const field = fields[index]!;
      if (index < next || (oneofs & field.oneof) !== 0) return false;
      oneofs |= field.oneof;
      for (; next < index; next++) out.chunk(fields[next]!.absent);
      next++;
      field.print(cursor, out, end, tag);
    }
    for (; next < fields.length; next++) out.chunk(fields[next]!.absent);
    return true;
  }
}

/** Makes an object of the fields that were printed since `mark`. */
export function closeObject(out: JsonBuffer, mark: number): void {
  if (out.length === mark) out.byte(OPEN_OBJECT);
  else out.bytes[mark] = OPEN_OBJECT;
  out.byte(CLOSE_OBJECT);
}
