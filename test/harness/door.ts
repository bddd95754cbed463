// A store behind the real HTTP door: on a free loopback port, and as a plain function for tests with many requests.

import type { KeptRange } from "../../src/api/operations.ts";
import { NO_TX_ENTRY } from "../../src/api/tx-entry.ts";
import { createHttpApp, type HttpApp } from "../../src/http/app.ts";
import { DEFAULT_LIMITS, type Limits } from "../../src/http/limits.ts";
import { NATIVE_BYTES } from "../../src/http/native-bytes.ts";
import { serveHttp } from "../../src/http/serve.ts";
import type { Log } from "../../src/log.ts";
import { createResolveDid } from "../../src/queries/did-resolution.ts";
import { createHeightAtTime } from "../../src/queries/height-at-time.ts";
import { createNeighbours } from "../../src/queries/neighbours.ts";
import type { NodeInfo } from "../../src/queries/node.ts";
import type { NodeConfig } from "../../src/queries/node-service.ts";
import { createQueries } from "../../src/queries/queries.ts";
import type { Store } from "../../src/store/store.ts";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export type Reply = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: Json };

export type Door = {
  /** What the node said of its own faults, newest last. */
  readonly faults: readonly string[];
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  send(path: string, init: RequestInit): Promise<Reply>;
  /** The answer as it comes: pages, compressed bodies. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
};

export const NODE: NodeInfo = {
  chainId: "reference-1",
  bech32Prefix: "cosmos",
  nodeId: "21fe31dfa154a261626bf854046fd2271b7bed4b",
  listenAddress: "tcp://127.0.0.1:26656",
  rpcAddress: () => "tcp://127.0.0.1:26657",
  moniker: "contract",
  version: "0.0.0",
  gitCommit: "0a1b2c3d",
  runtime: "bun",
  dependencies: [{ path: "hono", version: "4", sum: "" }],
};

export const CONFIG: NodeConfig = { minGasPrices: [], keep: "all" };

/** Over a socket, as a client meets it. */
export function openDoor(store: Store, info: NodeInfo = NODE): Door {
  const { app, faults } = appOf(store, info);
  const server = serveHttp(app, { host: "127.0.0.1", port: 0 });
  return doorOf(faults, (path, init) => fetch(server.url + path, init), server.stop);
}

/** Without a socket: the same app, many times faster to ask. */
export function directDoor(store: Store, info: NodeInfo = NODE, limits: Partial<Limits> = {}): Door {
  const { app, faults } = appOf(store, info, limits);
  return doorOf(
    faults,
    async (path, init) => app.fetch(new Request(`http://node${path}`, init)),
    async () => {},
  );
}

function appOf(store: Store, info: NodeInfo, asked: Partial<Limits> = {}): { app: HttpApp; faults: string[] } {
  const faults: string[] = [];
  const log: Log = { debug() {}, info() {}, warn() {}, error: (text) => faults.push(text) };
  const range = (): KeptRange | null => {
    const [earliest, latest] = [store.earliest(), store.head()];
    return earliest === null || latest === null ? null : { chainId: info.chainId, earliest, latest };
  };
  const queries = createQueries({ store, info });
  const neighbours = createNeighbours({ store, bech32Prefix: info.bech32Prefix, txEntry: NO_TX_ENTRY, config: CONFIG });
  const resolveDid = createResolveDid(store);
  const reading = { heightAtTime: createHeightAtTime(store), byteWork: NATIVE_BYTES };
  const doors = () => ({ rest: "http://node", rpc: null });
  const registry = { bech32Prefix: info.bech32Prefix, isDevnet: true, minGasPrices: CONFIG.minGasPrices, doors };
  const limits = { ...DEFAULT_LIMITS, ...asked };
  return { app: createHttpApp({ queries, neighbours, resolveDid, range, registry, ...reading, log, limits }), faults };
}

export function doorOf(faults: string[], ask: Door["ask"], close: () => Promise<void>): Door {
  const send = async (path: string, init: RequestInit): Promise<Reply> => {
    const response = await ask(path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text === "" ? null : JSON.parse(text) };
  };
  return { faults, ask, send, get: (path, headers = {}) => send(path, { headers }), close };
}
