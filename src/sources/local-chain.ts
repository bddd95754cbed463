// The embedded chain of a home, from the folder to the running chain: its genesis, its keys, its store, its blocks.

import { createExecuteBlock, type ExecuteBlock } from "../chain/execute-block.ts";
import type { GasPrice } from "../codec/gas-price.ts";
import type { PublicKey } from "../codec/public-key.ts";
import { timeFromMillis } from "../codec/time.ts";
import { givingWay } from "../give-way.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";
import { chainRules } from "./chain-rules.ts";
import { devTransactions } from "./dev-transactions.ts";
import { localGenesis } from "./genesis.ts";
import { HomeError, homeFile, readHomeJson, writeHomeJson } from "./home.ts";
import {
  type AskedChain,
  askedGenesis,
  isDevGenesis,
  refuseOtherChain,
  settleGenesis,
  storedChain,
} from "./home-chain.ts";
import { openIngest } from "./ingest.ts";
import { type LocalMempool, openLocalMempool } from "./local-mempool.ts";
import { type Solo, startSolo } from "./solo.ts";
import { type BlockNote, SOLO } from "./source.ts";
import { createValidators, type LocalValidator, loadOrCreateValidators } from "./validators.ts";

export type LocalChainOptions = AskedChain & {
  /** Null for a chain that lives in memory only. */
  readonly home: string | null;
  /** Called when it is sure that the home may be used; the store of a new home is made then. */
  readonly openStore: () => Store;
  /** How many local validators there are: one by default in a new chain, and so many in one that exists. */
  readonly validators?: number;
  /** The chain's own rules unless given. */
  readonly executeBlock?: ExecuteBlock;
  readonly blockTimeMs: number;
  readonly emptyBlocks: boolean;
  readonly manual: boolean;
  /** What a transaction must offer for its gas to be let in; none by default. */
  readonly minGasPrices?: readonly GasPrice[];
  /** Whether a new chain with the development genesis gets a second block, of sample transactions. */
  readonly sampleTxs?: boolean;
  readonly log: Pick<Log, "error">;
  readonly onHead: (block: BlockNote) => void;
  readonly onFailure: (error: Error) => void;
};

export type LocalChain = {
  readonly store: Store;
  readonly solo: Solo;
  readonly mempool: LocalMempool;
  readonly chainId: string;
  readonly bech32Prefix: string;
  /** The parsed genesis.json that the chain began with. */
  readonly genesis: unknown;
  /** Of the first of its validators, which speaks for the node. */
  readonly validatorKey: PublicKey;
};

/** The home must be locked. A genesis that is refused leaves no trace in it. */
export async function openLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  const { home } = options;
  const now = timeFromMillis(Date.now());
  const genesis = home === null ? askedGenesis(options, now) : settleGenesis(home, options, now);
  // Read once without keys, so that nothing is made for a genesis that is refused.
  const { chain } = localGenesis(genesis, []);
  const store = options.openStore();
  try {
    const keys = await settleKeys(home, store, chain.chainId, options.validators);
    if (home !== null && readHomeJson(home, "genesis") === null) writeHomeJson(home, "genesis", genesis);
    const isNew = store.head() === null;
    const running = await start(store, genesis, keys, options);
    if (isNew && options.sampleTxs === true && isDevGenesis(genesis)) {
      await running.solo.produceBlock(await devTransactions(store.at(store.head()!), chain));
    }
    const validatorKey = keys[0]!.publicKey;
    return { store, ...running, chainId: chain.chainId, bech32Prefix: chain.bech32Prefix, genesis, validatorKey };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function start(
  store: Store,
  genesisJson: unknown,
  keys: readonly LocalValidator[],
  options: LocalChainOptions,
): Promise<Pick<LocalChain, "mempool" | "solo">> {
  const genesis = localGenesis(genesisJson, keys);
  const rules = chainRules(genesis.chain);
  const ingest = await openIngest({ store, source: SOLO, genesis: genesis.chain, onHead: options.onHead });
  const mempool = openLocalMempool({ ...options, store, ingest, rules });
  const executeBlock = options.executeBlock ?? createExecuteBlock(rules, givingWay());
  const genesisChanges = genesis.changes;
  const solo = await startSolo({ ...options, store, ingest, keys, mempool, executeBlock, genesisChanges });
  return { solo, mempool };
}

/** New keys for a new chain only: the blocks of a chain that exists can be signed with its own alone. */
async function settleKeys(
  home: string | null,
  store: Store,
  chainId: string,
  count: number | undefined,
): Promise<LocalValidator[]> {
  if (home === null) return createValidators(count);
  if (store.head() === null) return loadOrCreateValidators(home, count);
  refuseOtherChain(home, await storedChain(home, store), chainId);
  if (readHomeJson(home, "validators") === null) {
    throw new HomeError(`${homeFile(home, "validators")} is gone, and without its keys the chain cannot be continued`);
  }
  return loadOrCreateValidators(home, count);
}
