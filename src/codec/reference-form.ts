// Messages in the form in which the reference writes them. Generated code here leaves out every empty field; the
// reference's has two that are never empty: the amount of a coin, which is "0" then, and the coin of a delegation.
// Type URLs are a slash and the name, without a host.

import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { type Coin, CoinSchema } from "../gen/cosmos/base/v1beta1/coin_pb.ts";
import { type MsgDelegate, MsgDelegateSchema } from "../gen/cosmos/staking/v1beta1/tx_pb.ts";
import { messageOfTypeUrl } from "./any.ts";
import type { Bytes } from "./bytes.ts";

/** The bytes that the reference would write for it. */
export function encodeMessage<D extends DescMessage>(desc: D, message: MessageShape<D>): Bytes {
  return toBinary(desc, inReferenceForm(desc, message)) as Bytes;
}

/** Changes the message itself, and returns it. */
export function inReferenceForm<D extends DescMessage>(desc: D, message: MessageShape<D>): MessageShape<D> {
  settle(reflect(desc, message));
  return message;
}

/** Changes the message and all messages inside it, those in Anys too. */
function settle(message: ReflectMessage): void {
  switch (message.desc.typeName) {
    case AnySchema.typeName:
      settleAny(message.message as Any);
      return;
    case CoinSchema.typeName:
      (message.message as Coin).amount ||= "0";
      return;
    case MsgDelegateSchema.typeName:
      (message.message as MsgDelegate).amount ??= create(CoinSchema);
  }
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (field.fieldKind === "message") settle(message.get(field));
    else if (field.fieldKind === "list" && field.listKind === "message") {
      for (const item of message.get(field)) settle(item as ReflectMessage);
    } else if (field.fieldKind === "map" && field.mapKind === "message") {
      for (const item of message.get(field).values()) settle(item as ReflectMessage);
    }
  }
}

/** An unknown type stays as it is. */
function settleAny(any: Any): void {
  const typeUrl = any.typeUrl.slice(any.typeUrl.lastIndexOf("/"));
  const desc = messageOfTypeUrl(typeUrl);
  if (desc === undefined) return;
  any.typeUrl = typeUrl;
  any.value = encodeMessage(desc, fromBinary(desc, any.value));
}
