// The JSON of an answer. What stands in it of a stored record is the same each time: it is printed once and kept, for as
// long as it is asked for. Of the lists, it is kept as the store keeps their entries, many at a time.

import type { DescMessage } from "@bufbuild/protobuf";
import { type Body, bodyBytes, type Item, type PageBody, type Run } from "../api/answer-body.ts";
import type { Bytes } from "../codec/bytes.ts";
import { compileItemsJson, compileJsonView, type ItemsJson, type JsonViewer } from "../codec/transcode.ts";
import { WireWriter } from "../codec/wire.ts";
import { Kept, SHARE_OF } from "../kept.ts";
import type { Spelling } from "./routes.ts";

export type Text = {
  /** A view that the next printing may overwrite. */
  readonly bytes: Bytes;
  /** A hash of the bytes, for whoever has made it before. */
  fingerprint: string | null;
};

export type BodyPrinter = (body: Body) => Text;

const COMMA = 0x2c;
const OPEN_LIST = 0x5b;

/** All printers share the space: what is asked for most gets most of it. */
const texts = new Kept<Bytes, Map<BodyPrinter, Text>>(SHARE_OF.texts, (record, kept) =>
  sum(kept.values(), ({ bytes }) => record.length + bytes.length + OVERHEAD),
);
const OVERHEAD = 300;
/** Whoever keeps the entries counts their text too. */
const items = new WeakMap<Run["entries"], Map<BodyPrinter, ItemsJson>>();

const printers = new Map<string, BodyPrinter>();

/** The same one for all operations with the same response: they share what is kept. */
export function compileBody(desc: DescMessage, spelling: Spelling): BodyPrinter {
  const name = `${spelling} ${desc.typeName}`;
  const known = printers.get(name);
  if (known !== undefined) return known;
  const print = compileJsonView(desc, spelling);
  const printItems = itemPrinter(desc, spelling);
  const printer: BodyPrinter = (body) => {
    if (body instanceof Uint8Array) return textOf(print(body));
    if ("record" in body) return kept(texts, body.record, printer, () => textOf(print(bodyBytes(body)).slice()));
    const itemsOf = ({ entries, isKept }: Run) => {
      const make = () => printItems(entries, body.item);
      return isKept ? kept(items, entries, printer, make) : make();
    };
    return textOf(printPage(body, print, itemsOf));
  };
  printers.set(name, printer);
  return printer;
}

export function textOf(bytes: Bytes): Text {
  return { bytes, fingerprint: null };
}

type Texts<K, T> = {
  get(key: K): Map<BodyPrinter, T> | undefined;
  set(key: K, texts: Map<BodyPrinter, T>): unknown;
};

function kept<K, T>(all: Texts<K, T>, key: K, printer: BodyPrinter, make: () => T): T {
  const known = all.get(key);
  const found = known?.get(printer);
  if (found !== undefined) return found;
  const made = make();
  all.set(key, new Map(known).set(printer, made));
  return made;
}

/** The rest is printed as a response with an empty list, and the items are put between its brackets. */
function printPage({ runs, rest }: PageBody, print: JsonViewer, itemsOf: (run: Run) => ItemsJson): Bytes {
  const parts = runs.map(itemsOf);
  const frame = print(rest);
  const head = frame.indexOf(OPEN_LIST) + 1;
  let size = frame.length;
  for (const { text } of parts) size += text.length + 1;
  const page = pageOf(size);
  page.set(frame.subarray(0, head));
  let at = head;
  for (const [i, run] of runs.entries()) at = copyItems(page, at, parts[i] as ItemsJson, run);
  // Each item has left a comma behind it.
  if (at > head) at--;
  page.set(frame.subarray(head), at);
  return page.subarray(0, at + frame.length - head);
}

function copyItems(page: Bytes, from: number, { text, ends }: ItemsJson, { start, end, reverse }: Run): number {
  let at = from;
  const copy = (first: number, last: number) => {
    const part = text.subarray(first === 0 ? 0 : (ends[first - 1] as number) + 1, ends[last]);
    page.set(part, at);
    at += part.length;
    page[at++] = COMMA;
  };
  if (!reverse) copy(start, end - 1);
  else for (let i = end - 1; i >= start; i--) copy(i, i);
  return at;
}

function itemPrinter(desc: DescMessage, spelling: Spelling): (entries: Run["entries"], item: Item) => ItemsJson {
  let print: ReturnType<typeof compileItemsJson> | null = null;
  return (entries, item) => {
    // Only responses with pages have a list to compile.
    print ??= compileItemsJson(desc, spelling);
    const delimited = new WireWriter(16 * 1024);
    for (const [key, value] of entries) {
      const message = item(key, value);
      delimited.uint(message.length).raw(message);
    }
    return print(delimited.view(), entries.length);
  };
}

/** What is printed is copied before anyone else prints, so that one buffer serves all pages of the usual sizes. */
const shared = new Uint8Array(1 << 18);

function pageOf(size: number): Bytes {
  return size <= shared.length ? shared : new Uint8Array(size);
}

function sum<T>(values: Iterable<T>, numberOf: (value: T) => number): number {
  let total = 0;
  for (const value of values) total += numberOf(value);
  return total;
}
