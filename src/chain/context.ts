// What execution works with: the block it is part of, the rules of its mode, and the transaction itself.

import type { Message } from "@bufbuild/protobuf";
import { encodeAddress } from "../codec/address.ts";
import type { Bytes } from "../codec/bytes.ts";
import type { GasPrice } from "../codec/gas-price.ts";
import { type SignatureData, SignatureDataError, signatureData } from "../codec/signature-data.ts";
import type { Time } from "../codec/time.ts";
import { type DecodedTx, txHash } from "../codec/tx.ts";
import type { VerifySecp256k1 } from "../codec/verify-signature.ts";
import type { Branch } from "../store/branch.ts";
import { failure, ROOT } from "./errors.ts";
import type { Event } from "./events.ts";
import type { GasMeter } from "./gas.ts";
import { addressOf } from "./message-checks.ts";
import type { MessageType } from "./message-type.ts";

export type BlockContext = {
  readonly chainId: string;
  readonly height: bigint;
  readonly time: Time;
  readonly bech32Prefix: string;
  /** The most gas that a block may use; zero or less for no limit. */
  readonly maxGas: bigint;
  /** What of it is left when the transaction begins; null where no block is being made. */
  readonly gasLeft: bigint | null;
  readonly verify: VerifySecp256k1;
};

/** What differs between delivering, checking and simulating, as values that the steps go by. */
export type Rules = {
  /** The meter stops at the transaction's own limit; otherwise at what a simulation may use, and no limit is reported. */
  readonly limitsGas: boolean;
  /** Whether the form of the transaction is judged: not again when a waiting transaction is checked once more. */
  readonly checksForm: boolean;
  /** Keys must be the signers' own; otherwise a missing key is stood in for, and missing signatures are reckoned with. */
  readonly needsKeys: boolean;
  readonly checksSequence: boolean;
  readonly verifiesSignatures: boolean;
  readonly runsMessages: boolean;
  /** What gas must be worth in one of these, for a transaction to be let in; none where it is let in already. */
  readonly minGasPrices: readonly GasPrice[];
  /** Whether the attributes of events are marked for the index. */
  readonly indexesEvents: boolean;
};

/** What a message handler sees. */
export type MessageContext = {
  readonly block: BlockContext;
  /** Every access is charged. */
  readonly state: Branch;
  readonly gas: GasMeter;
  /** Of the transaction that the message is part of. */
  readonly txHash: Bytes;
  emit(...events: readonly Event[]): void;
};

export type RoutedMessage = { readonly typeUrl: string; readonly type: MessageType; readonly message: Message };

/** What an ante step sees. */
export class TxContext implements MessageContext {
  readonly block: BlockContext;
  readonly rules: Rules;
  readonly tx: DecodedTx;
  readonly messages: readonly RoutedMessage[];
  readonly state: Branch;
  readonly gas: GasMeter;
  readonly events: Event[] = [];
  #signers: readonly Bytes[] | null = null;
  #signatures: readonly (SignatureData | null)[] | null = null;

  constructor(parts: Pick<TxContext, "block" | "rules" | "tx" | "messages" | "state" | "gas">) {
    this.block = parts.block;
    this.rules = parts.rules;
    this.tx = parts.tx;
    this.messages = parts.messages;
    this.state = parts.state;
    this.gas = parts.gas;
  }

  emit(...events: readonly Event[]): void {
    this.events.push(...events);
  }

  get txHash(): Bytes {
    return txHash(this.tx.raw);
  }

  /** Those of the messages in order, each once, then whoever pays the fee if it is none of them. */
  get signers(): readonly Bytes[] {
    this.#signers ??= this.#requiredSigners();
    return this.#signers;
  }

  /** One for each signer info; null for an info without a mode. Throws where signatures and modes do not fit. */
  get signatures(): readonly (SignatureData | null)[] {
    this.#signatures ??= this.#readSignatures();
    return this.#signatures;
  }

  get feePayer(): Bytes {
    const payer = this.tx.authInfo.fee?.payer ?? "";
    return payer === "" ? this.signer(0) : addressOf(payer, this.block.bech32Prefix);
  }

  signer(index: number): Bytes {
    const signer = this.signers[index];
    if (signer !== undefined) return signer;
    const infos = this.tx.authInfo.signerInfos.length;
    throw failure(ROOT.invalidRequest, `${infos} signer infos for ${this.signers.length} signers`);
  }

  addressText(address: Bytes): string {
    return encodeAddress(this.block.bech32Prefix, address);
  }

  #requiredSigners(): Bytes[] {
    const { bech32Prefix } = this.block;
    const seen = new Map<string, Bytes>();
    for (const { type, message } of this.messages) {
      for (const text of type.signers(message)) {
        const address = addressOf(text, bech32Prefix);
        seen.set(encodeAddress(bech32Prefix, address), address);
      }
    }
    const payer = this.tx.authInfo.fee?.payer ?? "";
    if (payer !== "" && !seen.has(payer)) seen.set(payer, addressOf(payer, bech32Prefix));
    return [...seen.values()];
  }

  #readSignatures(): (SignatureData | null)[] {
    const { authInfo, signatures } = this.tx;
    return authInfo.signerInfos.map(({ modeInfo }, i) => {
      if (modeInfo === undefined) return null;
      const signature = signatures[i];
      if (signature === undefined) {
        const count = `${authInfo.signerInfos.length} signer infos for ${signatures.length} signatures`;
        throw failure(ROOT.invalidRequest, count);
      }
      try {
        return signatureData(modeInfo, signature);
      } catch (error) {
        if (error instanceof SignatureDataError) throw failure(ROOT.invalidRequest, error.message);
        throw error;
      }
    });
  }
}
