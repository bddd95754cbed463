// The composition root: builds the parts of a node in order, and closes them in reverse.

import type { KeptRange } from "./api/operations.ts";
import { type ExecuteBlock, executeBlock } from "./chain/execute-block.ts";
import { parseGenesis } from "./chain/genesis.ts";
import type { Bytes } from "./codec/bytes.ts";
import { createHttpApp } from "./http/app.ts";
import { serveHttp } from "./http/serve.ts";
import type { Log } from "./log.ts";
import { createQueries } from "./queries/queries.ts";
import { buildInfo } from "./sources/build-info.ts";
import { type Samples, samplesOf } from "./sources/dev-samples.ts";
import { homeFile, resetHome } from "./sources/home.ts";
import { type AskedChain, storedChain } from "./sources/home-chain.ts";
import { lockHome } from "./sources/home-lock.ts";
import {
  importGenesis as fillFromGenesis,
  importRecording as fillFromRecording,
  type GenesisImport,
  type Imported,
  type RecordingImport,
} from "./sources/import-home.ts";
import { openLocalChain } from "./sources/local-chain.ts";
import type { BlockNote } from "./sources/source.ts";
import { loadOrCreateNodeId, readNodeId, temporaryNodeId } from "./sources/validators.ts";
import { type VerifyOptions, verifyHome as verify } from "./sources/verify.ts";
import { useNativeHashing } from "./state/native-hash.ts";
import { openMemoryStore } from "./store/memory.ts";
import { openSqliteStore } from "./store/sqlite.ts";
import type { Retention, Store } from "./store/store.ts";

/** Where the HTTP door listens; port 0 takes a free one. */
export type HostPort = { readonly host: string; readonly port: number };

type CommonOptions = {
  /** The folder of the node. */
  readonly home: string;
  /** Null for a node without an HTTP door. */
  readonly api: HostPort | null;
  readonly log: Log;
};

/** A chain of its own, made anew or continued. */
export type DevOptions = CommonOptions &
  AskedChain & {
    readonly mode: "dev";
    /** Default "sqlite"; "memory" touches no home and keeps nothing. */
    readonly engine?: "sqlite" | "memory";
    /** From block to block; default 5000. */
    readonly blockTimeMs?: number;
    /** Default true. */
    readonly emptyBlocks?: boolean;
    /** How many local validators a new chain has; default 1. */
    readonly validators?: number;
    /** Default "all". */
    readonly keep?: Retention;
    /** Removes what the home holds, first. */
    readonly reset?: boolean;
    /** What blocks do to the state; the chain's own rules unless given. */
    readonly executeBlock?: ExecuteBlock;
  };

/** A home that exists, for reading only, also beside the process that writes it. */
export type ServeOptions = CommonOptions & { readonly mode: "serve" };

export type NodeOptions = DevOptions | ServeOptions;

export type Node = {
  /** Null for a node without an HTTP door. */
  readonly url: string | null;
  readonly home: string;
  readonly chainId: string;
  readonly version: string;
  /** The accounts of a chain that began with the development genesis: their keys are public. Null for any other. */
  readonly samples: Samples | null;
  head(): bigint;
  /** The heights that the state can be read at. Blocks may reach further back. */
  range(): KeptRange;
  /** Makes a block now; only a chain of its own can. */
  produceBlock(txs?: readonly Bytes[]): Promise<bigint>;
  /** Tells of each block that this node commits from now on. Returns the way to end that. */
  onBlock(listener: (block: BlockNote) => void): () => void;
  /** Why the chain has stopped, or null while it runs. Reads go on after it. */
  failure(): Error | null;
  close(): Promise<void>;
};

/** What all kinds of nodes are made of once their store is open. */
type Parts = {
  readonly options: NodeOptions;
  readonly store: Store;
  readonly chainId: string;
  readonly bech32Prefix: string;
  readonly nodeId: string;
};

export async function createNode(options: NodeOptions): Promise<Node> {
  useNativeHashing();
  const closers = new Closers();
  try {
    return options.mode === "dev" ? await devNode(options, closers) : await servingNode(options, closers);
  } catch (error) {
    await closers.run();
    throw error;
  }
}

export async function importGenesis(options: GenesisImport): Promise<Imported> {
  useNativeHashing();
  return await fillFromGenesis(options);
}

export async function importRecording(options: RecordingImport): Promise<Imported> {
  useNativeHashing();
  return await fillFromRecording(options);
}

/** One sentence for each thing that is wrong with what a home holds; none when all is well. Changes nothing. */
export async function verifyHome(options: VerifyOptions): Promise<string[]> {
  useNativeHashing();
  return await verify(options);
}

async function devNode(options: DevOptions, closers: Closers): Promise<Node> {
  const home = options.engine === "memory" ? null : options.home;
  // Before anything is touched: a genesis that is refused must cost nothing, least of all with a reset.
  if (options.genesis !== undefined) parseGenesis(options.genesis);
  const listeners = new Set<(block: BlockNote) => void>();
  let failure: Error | null = null;
  if (home !== null) {
    const lock = lockHome(home, "dev");
    closers.add(() => lock.release());
    if (options.reset === true) resetHome(home);
  }
  const chain = await openLocalChain({
    ...options,
    home,
    openStore: () => openStore(home, options.keep ?? "all"),
    validators: options.validators ?? 1,
    executeBlock: options.executeBlock ?? executeBlock,
    blockTimeMs: options.blockTimeMs ?? 5000,
    emptyBlocks: options.emptyBlocks ?? true,
    onHead: (block) => {
      for (const listener of listeners) listener(block);
    },
    onFailure: (error) => {
      failure = error;
      options.log.error(`the chain has stopped: ${error.message}`);
    },
  });
  closers.add(() => chain.store.close());
  closers.add(() => chain.solo.stop());
  const nodeId = home === null ? temporaryNodeId() : loadOrCreateNodeId(home);
  const node = withDoor({ ...chain, options, nodeId }, closers);
  return {
    ...node,
    samples: samplesOf(chain.genesis, chain.bech32Prefix),
    produceBlock: (txs) => chain.solo.produceBlock(txs),
    onBlock(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    failure: () => failure,
  };
}

async function servingNode(options: ServeOptions, closers: Closers): Promise<Node> {
  const { home } = options;
  const store = openSqliteStore({ path: homeFile(home, "store"), readonly: true });
  closers.add(() => store.close());
  const { chainId, bech32Prefix } = await storedChain(home, store);
  const nodeId = readNodeId(home) ?? temporaryNodeId();
  return withDoor({ options, store, chainId, bech32Prefix, nodeId }, closers);
}

/** Queries over the store, and the HTTP door before them. */
function withDoor({ options, store, chainId, bech32Prefix, nodeId }: Parts, closers: Closers): Node {
  const build = buildInfo();
  const info = { ...build, chainId, bech32Prefix, nodeId, moniker: "orrery", ...NO_PEERS };
  const range = () => ({ chainId, earliest: store.earliest()!, latest: store.head()! });
  const app = createHttpApp({ queries: createQueries({ store, info }), range, log: options.log });
  const server = options.api === null ? null : serveHttp(app, options.api);
  if (server !== null) closers.add(() => server.stop());
  return {
    url: server?.url ?? null,
    home: options.home,
    chainId,
    version: build.version,
    samples: null,
    head: () => store.head()!,
    range,
    produceBlock: () => Promise.reject(new Error("this node serves a home and makes no blocks")),
    onBlock: () => () => {},
    failure: () => null,
    close: () => closers.run(),
  };
}

/** This node speaks with no peers and has no RPC door yet, so it has no address to give for either. */
const NO_PEERS = { listenAddress: "", rpcAddress: "" };

function openStore(home: string | null, keep: Retention): Store {
  return home === null ? openMemoryStore({ keep }) : openSqliteStore({ path: homeFile(home, "store"), keep });
}

/** What was opened, to be closed in reverse; each once, and all of them even if one fails. */
class Closers {
  #steps: (() => void | Promise<void>)[] = [];

  add(step: () => void | Promise<void>): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    const steps = this.#steps.reverse();
    this.#steps = [];
    const errors: unknown[] = [];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
