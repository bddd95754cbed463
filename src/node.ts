// The composition root: builds the parts of a node in order, and closes them in reverse.

import type { KeptRange } from "./api/operations.ts";
import type { NewBlock } from "./api/rpc-queries.ts";
import { NO_TX_ENTRY, type TxEntry, TxNotTaken } from "./api/tx-entry.ts";
import { type DevAccount, devAccounts } from "./chain/dev-accounts.ts";
import { type ExecuteBlock, txResult } from "./chain/execute-block.ts";
import { parseGenesis } from "./chain/genesis.ts";
import type { Bytes } from "./codec/bytes.ts";
import type { GasPrice } from "./codec/gas-price.ts";
import type { PublicKey } from "./codec/public-key.ts";
import { createHttpApp, type HttpApp } from "./http/app.ts";
import { createMetricsApp, type Figures } from "./http/metrics-app.ts";
import { NATIVE_BYTES } from "./http/native-bytes.ts";
import { createOperator, type Operator, type OperatorOptions } from "./http/operator.ts";
import { ALL_ROUTES, type RoutePatterns } from "./http/permitted-routes.ts";
import { refuse } from "./http/refusal.ts";
import { serveHttp } from "./http/serve.ts";
import { limitKept } from "./kept.ts";
import type { Log } from "./log.ts";
import { createResolveDid } from "./queries/did-resolution.ts";
import { readHead } from "./queries/head.ts";
import { watchHead } from "./queries/head-watch.ts";
import { createHeightAtTime } from "./queries/height-at-time.ts";
import { HIDEABLE, hideNodeInfo } from "./queries/hidden-node-info.ts";
import { createNeighbours } from "./queries/neighbours.ts";
import { createQueries } from "./queries/queries.ts";
import { createRpcQueries } from "./queries/rpc-queries.ts";
import { createRpcApp, type RpcApp } from "./rpc/app.ts";
import { refuseRpc } from "./rpc/http-response.ts";
import { serveRpc } from "./rpc/serve.ts";
import { buildInfo } from "./sources/build-info.ts";
import { type Samples, samplesOf } from "./sources/dev-samples.ts";
import { homeFile, readHomeJson, resetHome } from "./sources/home.ts";
import { type AskedChain, storedChain } from "./sources/home-chain.ts";
import { lockHome } from "./sources/home-lock.ts";
import {
  importGenesis as fillFromGenesis,
  importRecording as fillFromRecording,
  type GenesisImport,
  type Imported,
  type RecordingImport,
} from "./sources/import-home.ts";
import { type LocalChain, openLocalChain } from "./sources/local-chain.ts";
import { MempoolRefusal } from "./sources/mempool-refusals.ts";
import { processFigures, storeFigures } from "./sources/process-figures.ts";
import type { BlockNote } from "./sources/source.ts";
import { loadOrCreateNodeId, readNodeId, temporaryKey, temporaryNodeId } from "./sources/validators.ts";
import { type VerifyOptions, verifyHome as verify } from "./sources/verify.ts";
import { useNativeHashing } from "./state/native-hash.ts";
import { openMemoryStore } from "./store/memory.ts";
import { openSqliteStore } from "./store/sqlite.ts";
import type { Retention, Store } from "./store/store.ts";

/** Where a door listens; port 0 takes a free one. */
export type HostPort = { readonly host: string; readonly port: number };

export { HIDEABLE };

export type CommonOptions = {
  /** The folder of the node. */
  readonly home: string;
  /** Null for a node without an HTTP door. */
  readonly api: HostPort | null;
  /** Where the RPC door listens; a node without it by default. */
  readonly rpc?: HostPort | null;
  /** Where metrics and probes are for the operator alone; nowhere by default. */
  readonly metrics?: HostPort | null;
  readonly operator?: OperatorOptions;
  /** Which routes of the HTTP door are served; all by default. */
  readonly routes?: RoutePatterns;
  /** Fields of the node's own description that are answered empty. */
  readonly hideNodeInfo?: readonly string[];
  /** Where others reach the doors, for the chain registry; by default where they listen. */
  readonly publicUrls?: { readonly api?: string; readonly rpc?: string };
  /** How long the doors stay open, and the node not ready, before they close; default 0. */
  readonly drainMs?: number;
  /** What the whole process keeps at hand, in bytes; 512 MiB by default. */
  readonly cacheBytes?: number;
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
    /** No block that was not asked for, but for the first one; default false. */
    readonly manual?: boolean;
    /** What a transaction must offer for its gas to be let in; default none. Blocks do not ask for it. */
    readonly minGasPrices?: readonly GasPrice[];
    /** How many local validators a new chain has; default 1. A chain that exists must have so many. */
    readonly validators?: number;
    /** Default "all". */
    readonly keep?: Retention;
    /** Removes what the home holds, first. */
    readonly reset?: boolean;
    /** Gives a new chain with the development genesis a second block, of sample transactions; default false. */
    readonly sampleTxs?: boolean;
    /** What blocks do to the state; the chain's own rules unless given. */
    readonly executeBlock?: ExecuteBlock;
  };

/** A home that exists, for reading only, also beside the process that writes it. */
export type ServeOptions = CommonOptions & { readonly mode: "serve" };

export type NodeOptions = DevOptions | ServeOptions;

export type Node = {
  /** Null for a node without an HTTP door. */
  readonly url: string | null;
  /** Null for a node without an RPC door. */
  readonly rpcUrl: string | null;
  /** Null for a node without metrics. */
  readonly metricsUrl: string | null;
  readonly home: string;
  readonly chainId: string;
  readonly version: string;
  /** The accounts of a chain that began with the development genesis: their keys are public. Null for any other. */
  readonly samples: Samples | null;
  head(): bigint;
  /** The heights that the state can be read at. Blocks may reach further back. */
  range(): KeptRange;
  /** Where transactions come in; a node that serves a home takes none. */
  readonly txEntry: TxEntry;
  /** Makes a block now, of what waits unless told otherwise; only a chain of its own can. */
  produceBlock(txs?: readonly Bytes[]): Promise<bigint>;
  /** Tells of each block that this node commits from now on. Returns the way to end that. */
  onBlock(listener: (block: BlockNote) => void): () => void;
  /** Why the chain has stopped, or null while it runs. Reads go on after it. */
  failure(): Error | null;
  /** Resolves with it when the chain stops; never for a node whose chain does not. */
  readonly failed: Promise<Error>;
  close(): Promise<void>;
};

/** What all kinds of nodes are made of once their store is open. */
type Parts = {
  readonly options: NodeOptions;
  readonly store: Store;
  readonly chainId: string;
  readonly bech32Prefix: string;
  readonly nodeId: string;
  /** The parsed genesis.json; null where the home does not hold it. */
  readonly genesis: () => unknown;
  readonly validatorKey: PublicKey;
  readonly txEntry: TxEntry;
  /** Makes a block of what waits, for whoever asks at the RPC door; null where none is made on request. */
  readonly blockOnRequest: (() => Promise<bigint>) | null;
  onBlock(listener: (block: NewBlock) => void): () => void;
  failure(): Error | null;
};

export async function createNode(options: NodeOptions): Promise<Node> {
  useNativeHashing();
  if (options.cacheBytes !== undefined) limitKept(options.cacheBytes);
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

/** The people of the development genesis. Everyone has their keys: they are for trying things out, never for value. */
export function samplePeople(bech32Prefix: string): readonly DevAccount[] {
  return devAccounts(bech32Prefix);
}

async function devNode(options: DevOptions, closers: Closers): Promise<Node> {
  const home = options.engine === "memory" ? null : options.home;
  // Before anything is touched: a genesis that is refused must cost nothing, least of all with a reset.
  if (options.genesis !== undefined) parseGenesis(options.genesis);
  const listeners = new Set<(block: BlockNote) => void>();
  let failure: Error | null = null;
  const failing = Promise.withResolvers<Error>();
  if (home !== null) {
    const lock = lockHome(home, "dev");
    closers.add(() => lock.release());
    if (options.reset === true) resetHome(home);
  }
  const chain = await openLocalChain({
    ...options,
    home,
    openStore: () => openStore(home, options.keep ?? "all"),
    blockTimeMs: options.blockTimeMs ?? 5000,
    emptyBlocks: options.emptyBlocks ?? true,
    manual: options.manual ?? false,
    onHead: (block) => {
      for (const listener of listeners) listener(block);
    },
    onFailure: (error) => {
      failure = error;
      failing.resolve(error);
      options.log.error(`the chain has stopped: ${error.message}`);
    },
  });
  closers.add(() => chain.store.close());
  closers.add(() => chain.solo.stop());
  const nodeId = home === null ? temporaryNodeId() : loadOrCreateNodeId(home);
  const onBlock: Node["onBlock"] = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const txEntry = openTxEntry(chain);
  const blockOnRequest = options.manual === true ? () => chain.solo.produceBlock() : null;
  const node = withDoors(
    {
      ...chain,
      genesis: () => chain.genesis,
      options,
      nodeId,
      txEntry,
      blockOnRequest,
      onBlock,
      failure: () => failure,
    },
    closers,
  );
  return {
    ...node,
    // Deriving ten keys from a mnemonic takes longer than all the rest of a restart; few ask for them.
    get samples() {
      return samplesOf(chain.genesis, chain.bech32Prefix);
    },
    txEntry,
    produceBlock: (txs) => chain.solo.produceBlock(txs),
    onBlock,
    failure: () => failure,
    failed: failing.promise,
  };
}

function openTxEntry({ mempool }: LocalChain): TxEntry {
  return {
    async add(raw) {
      try {
        return txResult(await mempool.add(raw));
      } catch (error) {
        if (!(error instanceof MempoolRefusal)) throw error;
        throw new TxNotTaken(error.codespace, error.code, error.message, { cause: error });
      }
    },
    check: async (raw) => txResult(await mempool.tryOut(raw)),
    waiting: (limit) => mempool.waiting(limit),
    size: () => mempool.size(),
  };
}

async function servingNode(options: ServeOptions, closers: Closers): Promise<Node> {
  const { home } = options;
  const store = openSqliteStore({ path: homeFile(home, "store"), readonly: true });
  closers.add(() => store.close());
  const { chainId, bech32Prefix } = await storedChain(home, store);
  const nodeId = readNodeId(home) ?? temporaryNodeId();
  const watch = watchHead(store, HEAD_WATCH_MS, (error) => options.log.error(`new blocks cannot be read: ${error}`));
  closers.add(() => watch.stop());
  // That of a large chain takes hundreds of megabytes: it is read when somebody asks for it.
  const genesis = once(() => readHomeJson(home, "genesis"));
  const entry = { txEntry: NO_TX_ENTRY, blockOnRequest: null, onBlock: watch.onBlock, failure: () => null };
  const own = { nodeId, genesis, validatorKey: temporaryKey(), ...entry };
  return withDoors({ options, store, chainId, bech32Prefix, ...own }, closers);
}

/** Queries over the store, and the doors before them. */
function withDoors(parts: Parts, closers: Closers): Node {
  const { options, store, chainId, bech32Prefix, nodeId, txEntry } = parts;
  const build = buildInfo();
  // The port is known once the door is open, and the queries are made before it.
  const rpcAddress = () => doors.rpc?.url.replace("http:", "tcp:") ?? "";
  const about = { ...build, chainId, bech32Prefix, nodeId, moniker: "orrery", listenAddress: NO_PEERS, rpcAddress };
  const info = hideNodeInfo(about, options.hideNodeInfo ?? []);
  const range = () => ({ chainId, earliest: store.earliest()!, latest: store.head()! });
  const operator = openOperator(parts, build.version);
  closers.add(() => operator.close());
  const { readTimeoutMs } = operator.limits;
  const queries = createQueries({ store, info, readTimeoutMs });
  const { minGasPrices = [], keep = "all" } = options.mode === "dev" ? options : READS_ONLY;
  const neighbours = createNeighbours({ store, bech32Prefix, txEntry, config: { minGasPrices, keep }, readTimeoutMs });
  const permitted = options.routes ?? ALL_ROUTES;
  const resolveDid = createResolveDid(store);
  const reading = { queries, neighbours, resolveDid, range, heightAtTime: createHeightAtTime(store) };
  const { api = null, rpc: publicRpc = null } = options.publicUrls ?? {};
  const publicDoors = () => ({ rest: api ?? doors.api?.url ?? null, rpc: publicRpc ?? doors.rpc?.url ?? null });
  const registry = { bech32Prefix, isDevnet: options.mode === "dev", minGasPrices, doors: publicDoors };
  const serving = { byteWork: NATIVE_BYTES, log: options.log, ...operator, permitted, registry };
  const http = createHttpApp({ ...reading, ...serving });
  const rpcQueries = createRpcQueries({ ...parts, info, queries, neighbours });
  const { blockOnRequest, onBlock } = parts;
  const rpc = createRpcApp({ queries: rpcQueries, txs: txEntry, blockOnRequest, onBlock }, options.log);
  const doors = openDoors(options, { http, rpc, operator, range }, closers);
  return {
    url: doors.api?.url ?? null,
    rpcUrl: doors.rpc?.url ?? null,
    metricsUrl: doors.metrics?.url ?? null,
    home: options.home,
    chainId,
    version: build.version,
    samples: null,
    head: () => store.head()!,
    range,
    txEntry,
    produceBlock: () => Promise.reject(new Error("this node serves a home and makes no blocks")),
    onBlock: () => () => {},
    failure: parts.failure,
    failed: new Promise(() => {}),
    close: () => closers.run(),
  };
}

type NodeOperator = Operator & { readonly figures: () => Promise<Figures> };

/** What operators are told is looked up when they ask. */
function openOperator({ options, store, chainId, txEntry, failure }: Parts, version: string): NodeOperator {
  const source = { head: () => readHead(store), failure, lag: () => null };
  const operator = createOperator(options.operator ?? {}, source, options.log);
  const figures = async (): Promise<Figures> => ({
    ...processFigures(),
    ...storeFigures(options.home),
    version,
    chainId,
    height: store.head(),
    earliest: store.earliest(),
    headTime: (await readHead(store))?.time ?? null,
    waitingTxs: txEntry.size().txs,
    chainFailed: failure() !== null,
    loopDelayMs: operator.loopDelayMs(),
  });
  return { ...operator, figures };
}

type Behind = {
  readonly http: HttpApp;
  readonly rpc: RpcApp;
  readonly operator: NodeOperator;
  readonly range: () => KeptRange;
};

type Server = { readonly url: string; stop(): Promise<void> };
type Doors = { readonly api: Server | null; readonly rpc: Server | null; readonly metrics: Server | null };

/**
 * The end begins at the doors: probes say so first, while everything else still answers; then no door takes anything
 * new, and what is under way is finished. The operator's own door closes last.
 */
function openDoors(options: NodeOptions, { http, rpc: rpcApp, operator, range }: Behind, closers: Closers): Doors {
  const { api, rpc = null, metrics = null, drainMs = 0 } = options;
  const open = (door: keyof Doors, at: HostPort | null, serve: (at: HostPort) => Server): Server | null => {
    const server = at === null ? null : listening(door, () => serve(at));
    if (server !== null) closers.add(() => server.stop());
    return server;
  };
  const metricsApp = createMetricsApp(operator.meter, operator.health, operator.figures);
  const doors = {
    metrics: open("metrics", metrics, (at) => serveHttp(metricsApp, at)),
    api: open("api", api, (at) => {
      const fetch = operator.guard(http.fetch, at.host, (error, headers) => refuse(error, range(), headers));
      return serveHttp({ fetch }, at);
    }),
    rpc: open("rpc", rpc, (at) => {
      const fetch = operator.guard(rpcApp.fetch, at.host, refuseRpc);
      return serveRpc({ ...rpcApp, fetch }, at);
    }),
  };
  closers.add(async () => {
    operator.beginStop();
    if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
    await Promise.all([doors.api?.stop(), doors.rpc?.stop()]);
  });
  return doors;
}

/** An address that cannot be had fails with the name of the door that wanted it. */
function listening<T>(door: "api" | "rpc" | "metrics", open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new Error(String(error)), { door });
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What a node that takes no transactions and removes no heights says of both. */
const READS_ONLY: Pick<DevOptions, "minGasPrices" | "keep"> = {};

/** This node speaks with no peers and listens for none; clients want an address all the same. */
const NO_PEERS = "tcp://127.0.0.1:0";

/** How often a node that makes no blocks looks for new ones. */
const HEAD_WATCH_MS = 500;

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
