// Fills a home: from a genesis, whose state becomes the first height, or from a recording of another chain.

import { parseGenesis } from "../chain/genesis.ts";
import { openMemoryStore } from "../store/memory.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import type { Retention, Store } from "../store/store.ts";
import { HomeError, homeFile, resetHome, writeHomeJson } from "./home.ts";
import { type AskedChain, storedChain } from "./home-chain.ts";
import { lockHome } from "./home-lock.ts";
import { openIngest } from "./ingest.ts";
import { openLocalChain } from "./local-chain.ts";
import { type Recording, readRecording } from "./recording.ts";
import { RECORDING } from "./source.ts";
import { loadOrCreateNodeId } from "./validators.ts";

type ImportOptions = {
  readonly home: string;
  /** Default "all". */
  readonly keep?: Retention;
  /** Removes what the home holds, first; but only when what is imported has been found good. */
  readonly reset?: boolean;
};

export type GenesisImport = ImportOptions & AskedChain & { readonly genesis: unknown; readonly validators?: number };
export type RecordingImport = ImportOptions & { readonly recording: string };

export type Imported = { readonly chainId: string; readonly height: bigint };

/** Makes the first block, which carries the state of the genesis. */
export async function importGenesis(options: GenesisImport): Promise<Imported> {
  const { home, keep = "all" } = options;
  // Before anything is touched: a genesis that is refused must cost nothing, least of all with a reset.
  parseGenesis(options.genesis);
  return withHome(options, async () => {
    const openStore = () => openSqliteStore({ path: homeFile(home, "store"), keep });
    let height: bigint | null = null;
    const chain = await openLocalChain({
      ...options,
      openStore,
      blockTimeMs: 0,
      emptyBlocks: false,
      manual: true,
      onHead: (block) => {
        height = block.height;
      },
      log: { error: () => {} },
      onFailure: () => {},
    });
    await chain.store.close();
    if (height === null) throw new HomeError(`${home} holds the chain ${chain.chainId} already; reset it first`);
    return { chainId: chain.chainId, height };
  });
}

/** The blocks of all heights and the state of the last one, as one commit. */
export async function importRecording(options: RecordingImport): Promise<Imported> {
  const recording = readRecording(options.recording);
  // A rehearsal in memory: a recording that breaks a rule leaves the home as it was.
  await store(recording, openMemoryStore());
  return withHome(options, async () => {
    const { home, keep = "all" } = options;
    const target = openSqliteStore({ path: homeFile(home, "store"), keep });
    try {
      if (target.head() !== null) {
        const { chainId } = await storedChain(home, target);
        throw new HomeError(`${home} holds the chain ${chainId} already; reset it first`);
      }
      writeHomeJson(home, "genesis", recording.genesisJson);
      await store(recording, target);
    } finally {
      await target.close();
    }
    return { chainId: recording.genesis.chainId, height: recording.run.at(-1)!.height };
  });
}

async function store({ genesis, run }: Recording, target: Store): Promise<void> {
  const ingest = await openIngest({ store: target, source: RECORDING, genesis, onHead: () => {} });
  await ingest.commit(run);
}

async function withHome<T>({ home, reset }: ImportOptions, fill: () => Promise<T>): Promise<T> {
  const lock = lockHome(home, "import");
  try {
    if (reset === true) resetHome(home);
    const imported = await fill();
    loadOrCreateNodeId(home);
    return imported;
  } finally {
    lock.release();
  }
}
