// The routes beside the 18 operations that sending needs: the account, the way in, and the transaction when it is done.

import { type Bytes, toBase64 } from "../codec/bytes.ts";
import { CommandError } from "./failure.ts";

/** What a signature covers besides the transaction, and how addresses are written there. */
export type SenderFacts = {
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
};

/** The ecosystem's record of a transaction; in a block when its height is not "0". */
export type TxResponse = {
  readonly height: string;
  readonly txhash: string;
  readonly codespace: string;
  readonly code: number;
  readonly raw_log: string;
  readonly gas_wanted: string;
  readonly gas_used: string;
  readonly events: readonly {
    readonly type: string;
    readonly attributes: readonly { readonly key: string; readonly value: string }[];
  }[];
};

const TIMEOUT_MS = 10_000;
const LOOK_MS = 200;
const TXS = "/cosmos/tx/v1beta1/txs";

export async function readBech32Prefix(node: string): Promise<string> {
  const { body } = await ask(node, "/cosmos/auth/v1beta1/bech32");
  return (body as { bech32_prefix: string }).bech32_prefix;
}

export async function readSender(node: string, address: string): Promise<SenderFacts> {
  const { body, headers } = await ask(node, `/cosmos/auth/v1beta1/account_info/${address}`);
  const { info } = body as { info: { account_number: string; sequence: string } };
  const chainId = headers.get("x-chain-id");
  if (chainId === null) throw new CommandError(`${node} does not say which chain it serves`);
  return { chainId, accountNumber: BigInt(info.account_number), sequence: BigInt(info.sequence) };
}

/** The node's verdict on a transaction that came in; with code 0 it waits for a block. */
export async function broadcast(node: string, tx: Bytes): Promise<TxResponse> {
  const body = JSON.stringify({ tx_bytes: toBase64(tx), mode: "BROADCAST_MODE_SYNC" });
  const answer = await ask(node, TXS, { method: "POST", body, headers: { "content-type": "application/json" } });
  return (answer.body as { tx_response: TxResponse }).tx_response;
}

/** The transaction as a block holds it; null when none does after that time. */
export async function waitForTx(node: string, hash: string, milliseconds: number): Promise<TxResponse | null> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const found = await ask(node, `${TXS}/${hash}`).catch((error: unknown) => {
      if (error instanceof NodeRefusal && error.status === 404) return null;
      throw error;
    });
    if (found !== null) return (found.body as { tx_response: TxResponse }).tx_response;
    if (performance.now() >= end) return null;
    await Bun.sleep(LOOK_MS);
  }
}

/** The node answered, but with an error; the message is its own sentence. */
class NodeRefusal extends CommandError {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

async function ask(node: string, path: string, init: RequestInit = {}): Promise<{ body: object; headers: Headers }> {
  const response = await fetch(node + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${node} cannot be reached: ${reason}`);
  });
  const body = await response.json().catch(() => null);
  if (typeof body !== "object" || body === null) throw new CommandError(`${node} does not answer as a node`);
  if (!response.ok) throw new NodeRefusal(response.status, String((body as { message?: unknown }).message));
  return { body, headers: response.headers };
}
