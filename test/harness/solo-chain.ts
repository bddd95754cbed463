// A small embedded chain for tests: fixed keys, a fixed clock, the development genesis.

import { devGenesis } from "../../src/chain/dev-genesis.ts";
import { type ChainRules, createExecuteBlock, type ExecuteBlock } from "../../src/chain/execute-block.ts";
import { addMillis, parseTime, type Time } from "../../src/codec/time.ts";
import { givingWay } from "../../src/give-way.ts";
import { chainRules } from "../../src/sources/chain-rules.ts";
import { localGenesis } from "../../src/sources/genesis.ts";
import { openIngest } from "../../src/sources/ingest.ts";
import { type LocalMempool, openLocalMempool } from "../../src/sources/local-mempool.ts";
import { type Solo, startSolo } from "../../src/sources/solo.ts";
import { type BlockNote, SOLO } from "../../src/sources/source.ts";
import { type LocalValidator, localValidator } from "../../src/sources/validators.ts";
import type { Store } from "../../src/store/store.ts";

export type SoloFixture = Solo & {
  readonly mempool: LocalMempool;
  readonly heads: readonly bigint[];
  readonly failures: readonly Error[];
  /** What was said of faults. */
  readonly errors: readonly string[];
};

export type SoloFixtureOptions = {
  readonly validators?: number;
  readonly now?: () => Time;
  readonly execute?: ExecuteBlock;
  readonly heartbeatMs?: number;
  /** The development genesis unless given. */
  readonly genesis?: unknown;
  /** Those of the genesis, made once more: signatures that they have verified are verified. */
  readonly rules?: ChainRules;
};

/** Seeds 1, 2, 3, …: the same keys in every run. */
export function fixedValidators(count: number): LocalValidator[] {
  return Array.from({ length: count }, (_, index) => localValidator(new Uint8Array(32).fill(index + 1)));
}

/** A clock that goes on by `stepMs` whenever it is read. */
export function steppingClock(start: string, stepMs: number): () => Time {
  let time = parseTime(start);
  return () => {
    time = addMillis(time, stepMs);
    return time;
  };
}

/** Without a heartbeat, blocks are made when the test asks for them. */
export async function openSolo(store: Store, options: SoloFixtureOptions = {}): Promise<SoloFixture> {
  const keys = fixedValidators(options.validators ?? 1);
  const genesis = localGenesis(options.genesis ?? devGenesis(), keys);
  const heads: bigint[] = [];
  const failures: Error[] = [];
  const errors: string[] = [];
  const onHead = ({ height }: BlockNote) => heads.push(height);
  const ingest = await openIngest({ store, source: SOLO, genesis: genesis.chain, onHead });
  const rules = options.rules ?? chainRules(genesis.chain);
  const mempool = openLocalMempool({ store, ingest, rules, log: { error: (text) => errors.push(text) } });
  const solo = await startSolo({
    store,
    ingest,
    keys,
    genesisChanges: genesis.changes,
    executeBlock: options.execute ?? createExecuteBlock(rules, givingWay()),
    mempool,
    blockTimeMs: options.heartbeatMs ?? 1000,
    emptyBlocks: true,
    manual: options.heartbeatMs === undefined,
    now: options.now ?? steppingClock("2026-03-01T00:00:00Z", 1000),
    onFailure: (error) => failures.push(error),
  });
  return {
    heads,
    failures,
    errors,
    mempool,
    produceBlock: (txs) => solo.produceBlock(txs),
    stop: () => solo.stop(),
  };
}
