// The messages that this chain executes. A new one is a file of its own and a line here.

import { typeUrlOf } from "../codec/any.ts";
import type { TxMessage } from "../codec/tx.ts";
import { bankMultiSend } from "./bank-multi-send.ts";
import { bankSend } from "./bank-send.ts";
import type { RoutedMessage } from "./context.ts";
import { failure, ROOT } from "./errors.ts";
import { identityCreate } from "./identity-create.ts";
import { identityDeactivate } from "./identity-deactivate.ts";
import { identityUpdate } from "./identity-update.ts";
import type { MessageType } from "./message-type.ts";
import { vestingCreate } from "./vesting-create.ts";
import { vestingCreatePeriodic } from "./vesting-create-periodic.ts";
import { vestingCreatePermanent } from "./vesting-create-permanent.ts";

const MESSAGES: readonly MessageType[] = [
  bankSend,
  bankMultiSend,
  vestingCreate,
  vestingCreatePermanent,
  vestingCreatePeriodic,
  identityCreate,
  identityUpdate,
  identityDeactivate,
];

const byTypeUrl = new Map(MESSAGES.map((type) => [typeUrlOf(type.desc), type]));

/** Throws for a message that can be read but not executed here. */
export function routeMessage({ typeUrl, message }: TxMessage): RoutedMessage {
  const type = byTypeUrl.get(typeUrl);
  if (type === undefined) throw failure(ROOT.unknownRequest, `can't route message ${typeUrl}`);
  return { typeUrl, type, message };
}
