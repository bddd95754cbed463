// Reads a message whose fields are known to be its own, and refuses values that the reference's decoder refuses:
// numbers in place of which bytes stand, and amounts that are no integers.

import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import type { Bytes } from "./bytes.ts";
import { type WalkMessage, walkOf } from "./message-walk.ts";
import { consumeTag, consumeValue, consumeVarint, ProtowireError } from "./protowire.ts";
import { LENGTH_DELIMITED } from "./wire.ts";

/** Typed objects inside stay closed. Throws ProtowireError. */
export function readValues<D extends DescMessage>(desc: D, bytes: Bytes): MessageShape<D> {
  checkValues(walkOf(desc), bytes);
  try {
    return fromBinary(desc, bytes);
  } catch (error) {
    throw new ProtowireError(error instanceof Error ? error.message : String(error));
  }
}

function checkValues(walk: WalkMessage, bytes: Bytes): void {
  for (let at = 0; at < bytes.length; ) {
    const tag = consumeTag(bytes, at, bytes.length);
    const end = consumeValue(bytes, tag, tag.end, bytes.length);
    const field = walk.fields.get(tag.number);
    if (field !== undefined) {
      const isPacked = field.repeated && tag.wireType === LENGTH_DELIMITED;
      if (tag.wireType !== field.wireType && !isPacked) {
        throw new ProtowireError(`proto: wrong wireType = ${tag.wireType} for field ${field.goName}`);
      }
      if (field.inner !== null || field.isAmount) {
        const value = bytes.subarray(consumeVarint(bytes, tag.end, end).end, end);
        if (field.inner !== null) checkValues(field.inner, value);
        else checkAmount(value);
      }
    }
    at = end;
  }
}

/**
 * Plain decimal digits, with a minus sign if need be. The reference also takes other spellings, octal and hexadecimal
 * among them; those are refused here, because a reader would take `010` for ten. An empty amount is none at all, and
 * is judged where the coin is used.
 */
function checkAmount(bytes: Bytes): void {
  const text = String.fromCharCode(...bytes.subarray(0, MAX_DIGITS + 2));
  if (text === "") return;
  if (!PLAIN_DECIMAL.test(text)) {
    throw new ProtowireError(`math/big: cannot unmarshal ${JSON.stringify(text)} into a *big.Int`);
  }
  const amount = BigInt(text);
  const bits = (amount < 0n ? -amount : amount).toString(2).length;
  if (bits > MAX_BITS || bytes.length > text.length) {
    throw new ProtowireError(`integer out of range; got: ${bits}, max: ${MAX_BITS}`);
  }
}

const PLAIN_DECIMAL = /^(?:0|-?[1-9][0-9]*)$/;
const MAX_BITS = 256;
const MAX_DIGITS = 78;
