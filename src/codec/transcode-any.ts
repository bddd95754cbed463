// google.protobuf.Any: the message inside with its type URL in front. A type that the node does not know is shown as its
// bytes, `{"@type": …, "value": "<base64>"}`: nothing is ever lost.

import type { DescMessage } from "@bufbuild/protobuf";
import { anyMessages, typeUrlOf } from "./any.ts";
import { type Bytes, utf8Encode } from "./bytes.ts";
import { closeObject, type MessagePlan } from "./transcode-message.ts";
import type { Value } from "./transcode-value.ts";
import { LENGTH_DELIMITED } from "./wire.ts";
import { WireError } from "./wire-cursor.ts";

/** `head` is the `@type` member; `plan` is compiled when the type is first met. */
type KnownType = { readonly typeUrl: Bytes; readonly head: Bytes; readonly plan: () => MessagePlan };

const TYPE_URL_TAG = 8 + LENGTH_DELIMITED;
const VALUE_TAG = 16 + LENGTH_DELIMITED;
const TYPE_NAME = utf8Encode(',"@type":');
const VALUE_NAME = utf8Encode(',"value":');

export function anyValue(planOf: (desc: DescMessage) => MessagePlan): Value {
  const find = finder(anyMessages.map((desc) => knownType(desc, planOf)));
  return {
    wireType: LENGTH_DELIMITED,
    print(cursor, out, end) {
      const stop = cursor.delimited(end);
      let urlStart = stop;
      let urlEnd = stop;
      let valueStart = stop;
      let valueEnd = stop;
      while (cursor.at < stop) {
        const tag = cursor.tag(stop);
        if (tag === TYPE_URL_TAG) {
          urlEnd = cursor.delimited(stop);
          urlStart = cursor.at;
          cursor.at = urlEnd;
        } else if (tag === VALUE_TAG) {
          valueEnd = cursor.delimited(stop);
          valueStart = cursor.at;
          cursor.at = valueEnd;
        } else if (tag < 24) throw new WireError(`Any: field ${tag >> 3} with wire type ${tag & 7}`);
        else cursor.skip(tag, stop);
      }
      const mark = out.length;
      const known = find(cursor.bytes, urlStart, urlEnd);
      if (known === undefined) {
        out.chunk(TYPE_NAME);
        out.string(cursor.bytes, urlStart, urlEnd);
        out.chunk(VALUE_NAME);
        out.base64(cursor.bytes, valueStart, valueEnd);
      } else {
        out.chunk(known.head);
        cursor.at = valueStart;
        known.plan().printFields(cursor, out, valueEnd);
      }
      closeObject(out, mark);
      cursor.at = stop;
    },
  };
}

function knownType(desc: DescMessage, planOf: (desc: DescMessage) => MessagePlan): KnownType {
  const url = typeUrlOf(desc);
  let compiled: MessagePlan | undefined;
  return {
    typeUrl: utf8Encode(url),
    head: utf8Encode(`,"@type":${JSON.stringify(url)}`),
    plan: () => {
      compiled ??= planOf(desc);
      return compiled;
    },
  };
}

/** Finds a type by the bytes of its URL: few have the same length, and those differ near their ends. */
function finder(types: readonly KnownType[]): (bytes: Bytes, start: number, end: number) => KnownType | undefined {
  const byLength: KnownType[][] = [];
  for (const type of types) {
    byLength[type.typeUrl.length] ??= [];
    byLength[type.typeUrl.length]!.push(type);
  }
  return (bytes, start, end) => {
    const candidates = byLength[end - start] ?? [];
    for (const candidate of candidates) if (endsWith(bytes, end, candidate.typeUrl)) return candidate;
    return undefined;
  };
}

function endsWith(bytes: Bytes, end: number, text: Bytes): boolean {
  for (let i = 1; i <= text.length; i++) if (bytes[end - i] !== text[text.length - i]) return false;
  return true;
}
