// A real node for the client's tests: a development chain in memory with three blocks, one transfer, and a signed
// transaction to simulate.

import { createClient } from "../../src/client/client.ts";
import { toBase64 } from "../../src/codec/bytes.ts";
import { createNode } from "../../src/node.ts";
import { person, sendTx } from "../harness/dev-txs.ts";

export type TestNode = {
  readonly url: string;
  /** A transfer from alice to bob that the chain would take next, in base64. */
  readonly txBytes: string;
  produceBlock(): Promise<bigint>;
  close(): Promise<void>;
};

/** The height of the block that holds the transfer. */
export const TRANSFER_HEIGHT = 2;

export async function openTestNode(): Promise<TestNode> {
  const complain = (text: string) => console.error(text);
  const node = await createNode({
    mode: "dev",
    home: "",
    engine: "memory",
    manual: true,
    api: { host: "127.0.0.1", port: 0 },
    log: { debug() {}, info() {}, warn: complain, error: complain },
  });
  const url = node.url!;
  await node.produceBlock([await transfer(url)]);
  await node.produceBlock([]);
  const txBytes = toBase64(await transfer(url));
  return { url, txBytes, produceBlock: () => node.produceBlock([]), close: () => node.close() };
}

/** Signed for the account as the node shows it now. */
async function transfer(url: string) {
  const [alice, bob] = [person("alice"), person("bob")];
  for await (const account of createClient(url, { integers: "bigint" }).listAccounts.all()) {
    if (account["@type"] !== "/cosmos.auth.v1beta1.BaseAccount" || account.address !== alice.address) continue;
    return sendTx({ ...alice, accountNumber: account.account_number, sequence: account.sequence }, bob, 12n);
  }
  throw new Error("alice has no account");
}
