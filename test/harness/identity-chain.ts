// Identity messages on a state of their own: each is checked and executed as in a transaction, wholly or not at all.

import { create, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import type { BlockContext, MessageContext } from "../../src/chain/context.ts";
import { devAccounts } from "../../src/chain/dev-accounts.ts";
import { ChainError } from "../../src/chain/errors.ts";
import type { Event } from "../../src/chain/events.ts";
import { GasMeter, meteredState, UNLIMITED_GAS } from "../../src/chain/gas.ts";
import { identityCreate } from "../../src/chain/identity-create.ts";
import { identityDeactivate } from "../../src/chain/identity-deactivate.ts";
import { identityUpdate } from "../../src/chain/identity-update.ts";
import type { MessageType } from "../../src/chain/message-type.ts";
import { type Bytes, utf8Encode } from "../../src/codec/bytes.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { portableSecp256k1 } from "../../src/codec/verify-signature.ts";
import type { DidDocumentSchema } from "../../src/gen/orrery/identity/v1/did_pb.ts";
import type { Params } from "../../src/gen/orrery/identity/v1/state_pb.ts";
import {
  MsgCreateDidDocumentSchema,
  MsgDeactivateDidDocumentSchema,
  MsgUpdateDidDocumentSchema,
} from "../../src/gen/orrery/identity/v1/tx_pb.ts";
import { DEFAULT_IDENTITY_PARAMS, putIdentityParams } from "../../src/state/identity.ts";
import { type Branch, createBranch } from "../../src/store/branch.ts";
import type { Reader } from "../../src/store/store.ts";

export type DocumentInit = MessageInitShape<typeof DidDocumentSchema>;

export type Outcome = {
  /** `identity 1103`, `sdk 7`; "ok" for success. */
  readonly verdict: string;
  readonly message: string;
  readonly gas: bigint;
  readonly events: readonly Event[];
  readonly response: Bytes;
};

export const CHAIN_ID = "orrery-1";
export const PEOPLE = devAccounts("cosmos");

export function didOf(address: string): string {
  return `did:orr:${address}`;
}

const NOTHING: Reader = {
  get: async () => null,
  getMany: async (keys) => keys.map(() => null),
  range: async () => [],
};

export class IdentityChain {
  readonly state: Branch = createBranch(NOTHING);
  readonly block: BlockContext = {
    chainId: CHAIN_ID,
    height: 7n,
    time: { seconds: 1_800_000_000n, nanos: 999_999_999 },
    bech32Prefix: "cosmos",
    maxGas: -1n,
    gasLeft: null,
    verify: portableSecp256k1,
  };
  /** Every message has a transaction of its own. */
  txs = 0;

  constructor(params: Partial<Params> = {}) {
    putIdentityParams(this.state, { ...DEFAULT_IDENTITY_PARAMS, ...params });
  }

  create(creator: string, document?: DocumentInit): Promise<Outcome> {
    return this.#run(identityCreate, create(MsgCreateDidDocumentSchema, { creator, ...(document && { document }) }));
  }

  update(creator: string, document?: DocumentInit, expectedVersion = ""): Promise<Outcome> {
    const init = { creator, expectedVersion, ...(document && { document }) };
    return this.#run(identityUpdate, create(MsgUpdateDidDocumentSchema, init));
  }

  deactivate(creator: string, did: string, expectedVersion = ""): Promise<Outcome> {
    return this.#run(identityDeactivate, create(MsgDeactivateDidDocumentSchema, { creator, did, expectedVersion }));
  }

  txHash(number = this.txs): Bytes {
    return sha256(utf8Encode(`transaction ${number}`));
  }

  async #run(type: MessageType, message: Parameters<MessageType["handle"]>[1]): Promise<Outcome> {
    this.txs += 1;
    const own = createBranch(this.state);
    const gas = new GasMeter(UNLIMITED_GAS);
    const events: Event[] = [];
    const context: MessageContext = {
      block: this.block,
      state: meteredState(own, gas),
      gas,
      txHash: this.txHash(),
      emit: (...emitted) => void events.push(...emitted),
    };
    try {
      type.validateBasic(message, "cosmos");
      const response = (await type.handle(context, message)) ?? new Uint8Array(0);
      fromBinary(type.response, response);
      this.state.apply(own.changes());
      return { verdict: "ok", message: "", gas: gas.used, events, response };
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      const verdict = `${error.codespace} ${error.code}`;
      return { verdict, message: error.message, gas: gas.used, events: [], response: new Uint8Array(0) };
    }
  }
}
