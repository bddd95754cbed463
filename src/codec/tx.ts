// Transactions: from bytes to what they say, with every reason to refuse the bytes, in the reference's order and words.

import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { ModuleCredentialSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import { PubKeySchema as Ed25519Schema } from "../gen/cosmos/crypto/ed25519/keys_pb.ts";
import { type LegacyAminoPubKey, LegacyAminoPubKeySchema } from "../gen/cosmos/crypto/multisig/keys_pb.ts";
import { PubKeySchema as Secp256k1Schema } from "../gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { PubKeySchema as Secp256r1Schema } from "../gen/cosmos/crypto/secp256r1/keys_pb.ts";
import {
  type AuthInfo,
  AuthInfoSchema,
  type TxBody,
  TxBodySchema,
  TxRawSchema,
} from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { messageOfTypeUrl, typeUrlOf } from "./any.ts";
import type { Bytes } from "./bytes.ts";
import { sha256 } from "./hash.ts";
import { consumeTag, consumeValue, consumeVarint, ProtowireError } from "./protowire.ts";
import { readValues } from "./read-values.ts";
import { refuseUnknownFields } from "./unknown-fields.ts";
import { LENGTH_DELIMITED } from "./wire.ts";

export type TxMessage = { readonly typeUrl: string; readonly value: Bytes; readonly message: Message };

export type DecodedTx = {
  readonly raw: Bytes;
  /** As they came: signatures cover these bytes. */
  readonly bodyBytes: Bytes;
  readonly authInfoBytes: Bytes;
  readonly body: TxBody;
  readonly messages: readonly TxMessage[];
  readonly authInfo: AuthInfo;
  readonly signatures: readonly Bytes[];
  /** The body holds fields that are unknown and say that they may be ignored. */
  readonly hasIgnoredFields: boolean;
};

/** The message is the reference's whole sentence. */
export class TxDecodeError extends Error {
  override readonly name = "TxDecodeError";
}

export function txHash(raw: Bytes): Bytes {
  return sha256(raw);
}

/** Throws TxDecodeError. */
export function decodeTx(raw: Bytes): DecodedTx {
  const steps = decodeTxInSteps(raw);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same, with a rest between its steps: a transaction can be as large as a block, and nothing else runs meanwhile. */
export function* decodeTxInSteps(raw: Bytes): Generator<undefined, DecodedTx> {
  try {
    refuseLooseForm(raw);
    refuseUnknownFields(TxRawSchema, raw, "strict");
    const parts = readValues(TxRawSchema, raw);
    const bodyBytes = parts.bodyBytes as Bytes;
    const authInfoBytes = parts.authInfoBytes as Bytes;
    yield;

    const hasIgnoredFields = refuseUnknownFields(TxBodySchema, bodyBytes, "lenient");
    yield;
    const body = readValues(TxBodySchema, bodyBytes);
    const messages: TxMessage[] = [];
    for (const packed of body.messages) {
      messages.push(unpackMessage(packed));
      yield;
    }
    if (body.extensionOptions.length > 0 || body.nonCriticalExtensionOptions.length > 0) {
      throw new ProtowireError("no registered implementations of type tx.TxExtensionOptionI");
    }

    refuseUnknownFields(AuthInfoSchema, authInfoBytes, "strict");
    const authInfo = readValues(AuthInfoSchema, authInfoBytes);
    for (const { publicKey } of authInfo.signerInfos) {
      if (publicKey !== undefined) checkKey(publicKey, 1, { calls: 0 });
    }
    const signatures = parts.signatures as Bytes[];
    return { raw, bodyBytes, authInfoBytes, body, messages, authInfo, signatures, hasIgnoredFields };
  } catch (error) {
    if (error instanceof ProtowireError) throw new TxDecodeError(`${error.message}: tx parse error`);
    throw error;
  }
}

/** One transaction has one form at the top: parts in order, lengths as short as they can be. */
function refuseLooseForm(raw: Bytes): void {
  let before = 0;
  for (let at = 0; at < raw.length; ) {
    const tag = atTop(() => consumeTag(raw, at, raw.length));
    if (tag.wireType !== LENGTH_DELIMITED) {
      throw new ProtowireError(`expected ${LENGTH_DELIMITED} wire type, got ${tag.wireType}`);
    }
    if (tag.number < before) {
      throw new ProtowireError(`txRaw must follow ADR-027, got tagNum ${tag.number} after tagNum ${before}`);
    }
    before = tag.number;
    const length = atTop(() => consumeVarint(raw, tag.end, raw.length));
    const read = length.end - tag.end;
    const needed = varintLength(length.value);
    if (read !== needed) {
      const reason = `is not as short as possible, read ${read}, only need ${needed}`;
      throw new ProtowireError(`length prefix varint for tagNum ${tag.number} ${reason}`);
    }
    at = atTop(() => consumeValue(raw, tag, tag.end, raw.length));
  }
}

function atTop<T>(consume: () => T): T {
  try {
    return consume();
  } catch (error) {
    throw new ProtowireError(`invalid length; ${(error as Error).message}`);
  }
}

function varintLength(value: bigint): number {
  let length = 1;
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) length++;
  return length;
}

function unpackMessage({ typeUrl, value }: Any): TxMessage {
  const desc = messageOfTypeUrl(typeUrl);
  if (desc === undefined || !isTxMessage(desc)) throw notOfKind(typeUrl, "*types.Msg");
  return { typeUrl, value: value as Bytes, message: readValues(desc, value as Bytes) };
}

/** By the ecosystem's naming: `Msg…` is what a transaction carries, `Msg…Response` what it gives. */
function isTxMessage({ name }: DescMessage): boolean {
  return name.startsWith("Msg") && !name.endsWith("Response");
}

const KEY_TYPES: ReadonlySet<string> = new Set(
  [Secp256k1Schema, Ed25519Schema, Secp256r1Schema, LegacyAminoPubKeySchema, ModuleCredentialSchema].map(typeUrlOf),
);
const MAX_KEY_DEPTH = 10;
const MAX_KEYS = 100;

/** A multisig key holds keys, which may be multisig keys again: bounded in depth and in number. */
function checkKey({ typeUrl, value }: Any, depth: number, counter: { calls: number }): void {
  if (typeUrl === "") return;
  if (depth > MAX_KEY_DEPTH) throw new ProtowireError("max depth exceeded");
  if (++counter.calls > MAX_KEYS) throw new ProtowireError("call limit exceeded");
  const desc = messageOfTypeUrl(typeUrl);
  if (desc === undefined || !KEY_TYPES.has(typeUrl)) throw notOfKind(typeUrl, "*types.PubKey");
  const key = readValues(desc, value as Bytes);
  if (desc !== LegacyAminoPubKeySchema) return;
  for (const member of (key as LegacyAminoPubKey).publicKeys) checkKey(member, depth + 1, counter);
}

function notOfKind(typeUrl: string, kind: string): ProtowireError {
  return new ProtowireError(`no concrete type registered for type URL ${typeUrl} against interface ${kind}`);
}
