// What the chain must know of a kind of message to take it: who signs it, when it is well formed, what it does.

import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { Json } from "../codec/amino-json.ts";
import type { Bytes } from "../codec/bytes.ts";
import type { MessageContext } from "./context.ts";

/** The registry's view: the message is of the type's own kind, which the registry sees to. */
export type MessageType = {
  readonly desc: DescMessage;
  readonly response: DescMessage;
  /** Addresses as the message writes them. */
  signers(message: Message): readonly string[];
  /** Throws ChainError. Asked before anything is executed; costs no gas. */
  validateBasic(message: Message, bech32Prefix: string): void;
  /** Throws ChainError. Gives the encoded response, or nothing for an empty one. */
  handle(context: MessageContext, message: Message): Promise<Bytes | undefined>;
  /** The form that is signed as amino JSON; null for a message that has none. */
  readonly amino: { readonly type: string; value(message: Message): Json } | null;
};

/** The same, as the file of a message writes it: with the message's own shape. */
export type MessageDefinition<D extends DescMessage> = {
  readonly desc: D;
  readonly response: DescMessage;
  signers(message: MessageShape<D>): readonly string[];
  validateBasic(message: MessageShape<D>, bech32Prefix: string): void;
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a response simply ends
  handle(context: MessageContext, message: MessageShape<D>): Promise<Bytes | void>;
  readonly amino: { readonly type: string; value(message: MessageShape<D>): Json } | null;
};

export function defineMessage<D extends DescMessage>(definition: MessageDefinition<D>): MessageType {
  return definition as unknown as MessageType;
}
