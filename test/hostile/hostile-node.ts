// A node with more accounts than a page may have, for those who mean it harm.

import { devGenesis } from "../../src/chain/dev-genesis.ts";
import { encodeAddress } from "../../src/codec/address.ts";
import { createNode, type DevOptions, type Node } from "../../src/node.ts";
import { base } from "../harness/sample-genesis.ts";
import { BOMBER } from "./tx-bombs.ts";

export type HostileNode = { readonly node: Node; readonly url: string; readonly faults: readonly string[] };

type Genesis = { app_state: { auth: { accounts: unknown[] }; bank: { balances: unknown[]; supply: unknown[] } } };

const MORE_ACCOUNTS = 1100;

export async function openHostileNode(options: Partial<DevOptions> = {}): Promise<HostileNode> {
  const faults: string[] = [];
  const log = { debug() {}, info() {}, warn() {}, error: (text: string) => void faults.push(text) };
  const genesis = JSON.parse(JSON.stringify(devGenesis())) as Genesis;
  const { auth, bank } = genesis.app_state;
  auth.accounts.push(base(BOMBER));
  bank.balances.push({ address: BOMBER, coins: [{ denom: "uorr", amount: "1000000" }] });
  bank.supply = [];
  for (let i = 0; i < MORE_ACCOUNTS; i++) auth.accounts.push(base(addressNumber(i)));
  const node = await createNode({
    ...{ mode: "dev", engine: "memory", home: "", manual: true, genesis, log },
    api: { host: "127.0.0.1", port: 0 },
    ...options,
  });
  return { node, url: node.url as string, faults };
}

function addressNumber(number: number): string {
  const bytes = new Uint8Array(20).fill(0xa5);
  new DataView(bytes.buffer).setUint32(0, number);
  return encodeAddress("cosmos", bytes);
}
