// The messages of a transaction, one after the other, and what each of them tells and answers.

import { encodeAddress, parseAddress } from "../codec/address.ts";
import type { Bytes } from "../codec/bytes.ts";
import { WireWriter } from "../codec/wire.ts";
import type { BlockContext, MessageContext, RoutedMessage } from "./context.ts";
import { ChainError, isOutOfGas } from "./errors.ts";
import { type Event, event } from "./events.ts";

/** For each message: its response as a typed object, encoded, and its events. */
export type Executed = { readonly responses: readonly Bytes[]; readonly events: readonly (readonly Event[])[] };

/** In order; the first failure ends it. */
export async function runMessages(
  parts: Omit<MessageContext, "emit">,
  messages: readonly RoutedMessage[],
): Promise<Executed> {
  const responses: Bytes[] = [];
  const events: Event[][] = [];
  for (const [index, { typeUrl, type, message }] of messages.entries()) {
    const emitted: Event[] = [];
    try {
      const response = await type.handle({ ...parts, emit: (...more) => emitted.push(...more) }, message);
      responses.push(anyBytes(`/${type.response.typeName}`, response));
    } catch (error) {
      if (!(error instanceof ChainError) || isOutOfGas(error)) throw error;
      throw error.wrap(`failed to execute message; message index: ${index}`, { messageIndex: index });
    }
    events.push([actionEvent(parts.block, typeUrl, type.signers(message)[0] ?? "", emitted), ...emitted]);
  }
  return { responses, events };
}

/** The module is named here unless the message's own events name it. */
function actionEvent(
  { bech32Prefix }: BlockContext,
  typeUrl: string,
  signer: string,
  emitted: readonly Event[],
): Event {
  const sender = encodeAddress(bech32Prefix, parseAddress(signer, bech32Prefix));
  const action = event("message", ["action", typeUrl], ["sender", sender]);
  const namesModule = emitted.some(({ attributes }) => attributes.some(([key]) => key === "module"));
  if (namesModule) return action;
  return event(action.type, ...action.attributes, ["module", typeUrl.split(".")[1] ?? ""]);
}

function anyBytes(typeUrl: string, value: Bytes | undefined): Bytes {
  const any = new WireWriter().stringField(1, typeUrl);
  return value === undefined ? any.finish() : any.bytesField(2, value).finish();
}
