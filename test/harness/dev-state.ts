// The state of the development genesis without a chain around it: what transactions are executed on one at a time.

import type { BlockContext } from "../../src/chain/context.ts";
import { devGenesis } from "../../src/chain/dev-genesis.ts";
import { genesisChanges, parseGenesis } from "../../src/chain/genesis.ts";
import { verifySecp256k1 } from "../../src/chain/secp256k1.ts";
import { type Branch, createBranch } from "../../src/store/branch.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import type { Change, Reader } from "../../src/store/store.ts";
import { DEV_CHAIN_ID } from "./dev-txs.ts";

export const DEV_BLOCK: BlockContext = {
  chainId: DEV_CHAIN_ID,
  height: 5n,
  time: { seconds: 1_772_323_200n, nanos: 0 },
  bech32Prefix: "cosmos",
  maxGas: 30_000_000n,
  gasLeft: null,
  verify: verifySecp256k1,
};

/** Read-only; a branch of it takes changes. */
export async function devState(): Promise<Reader> {
  const store = openMemoryStore({ keep: "all" });
  await store.commit(1n, await genesisChanges(parseGenesis(devGenesis())));
  return store.at(1n);
}

export function withChanges(state: Reader, changes: readonly Change[]): Branch {
  const branch = createBranch(state);
  for (const [key, value] of changes) {
    if (value === null) branch.delete(key);
    else branch.set(key, value);
  }
  return branch;
}
