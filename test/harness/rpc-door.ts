// A store behind the real RPC door: on a free loopback port, or as a plain function.

import type { NewBlock } from "../../src/api/rpc-queries.ts";
import { NO_TX_ENTRY, type TxEntry } from "../../src/api/tx-entry.ts";
import { ed25519PublicKey, type PublicKey } from "../../src/codec/public-key.ts";
import type { Log } from "../../src/log.ts";
import { createNeighbours } from "../../src/queries/neighbours.ts";
import type { NodeInfo } from "../../src/queries/node.ts";
import { createQueries } from "../../src/queries/queries.ts";
import { createRpcQueries } from "../../src/queries/rpc-queries.ts";
import { createRpcApp } from "../../src/rpc/app.ts";
import { serveRpc } from "../../src/rpc/serve.ts";
import { useNativeHashing } from "../../src/state/native-hash.ts";
import type { Store } from "../../src/store/store.ts";
import { CONFIG, type Json, type JsonObject, NODE } from "./door.ts";

export type RpcReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
};

export type RpcDoor = {
  /** Of the door with a socket; empty otherwise. */
  readonly url: string;
  /** What the node said of its own faults, newest last. */
  readonly faults: readonly string[];
  get(path: string): Promise<RpcReply>;
  send(path: string, init: RequestInit): Promise<RpcReply>;
  post(body: string | Json): Promise<RpcReply>;
  /** The result of a call by POST; throws with the error object when there is none. */
  call(method: string, params?: Json): Promise<Json>;
  /** Tells subscribers of a block. */
  announce(block: NewBlock): void;
  close(): Promise<void>;
};

export type RpcDoorOptions = {
  readonly info?: NodeInfo;
  readonly genesis?: unknown;
  readonly txs?: TxEntry;
  readonly validatorKey?: PublicKey;
  /** Over a socket, as a client meets it. */
  readonly listen?: boolean;
};

useNativeHashing();

const VALIDATOR_KEY = ed25519PublicKey(new Uint8Array(32).fill(7));

export function openRpcDoor(store: Store, options: RpcDoorOptions = {}): RpcDoor {
  const { info = NODE, genesis = null, txs = NO_TX_ENTRY, validatorKey = VALIDATOR_KEY, listen = false } = options;
  const faults: string[] = [];
  const log: Log = { debug() {}, info() {}, warn() {}, error: (text) => faults.push(text) };
  const listeners = new Set<(block: NewBlock) => void>();
  const queries = createQueries({ store, info });
  const neighbours = createNeighbours({ store, bech32Prefix: info.bech32Prefix, txEntry: txs, config: CONFIG });
  const rpc = createRpcQueries({ store, info, queries, neighbours, genesis: () => genesis, validatorKey });
  const onBlock = (listener: (block: NewBlock) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const app = createRpcApp({ queries: rpc, txs, blockOnRequest: null, onBlock }, log);
  const server = listen ? serveRpc(app, { host: "127.0.0.1", port: 0 }) : null;
  const ask = async (path: string, init: RequestInit): Promise<RpcReply> => {
    const response = server
      ? await fetch(server.url + path, init)
      : await app.fetch(new Request(`http://node${path}`, init));
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
  };
  const post = (body: string | Json) =>
    ask("/", { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
  return {
    url: server?.url ?? "",
    faults,
    get: (path) => ask(path, {}),
    send: ask,
    post,
    async call(method, params = {}) {
      const { body } = await post({ jsonrpc: "2.0", id: 1, method, params });
      const answer = body as JsonObject;
      if (answer.result === undefined) throw new Error(JSON.stringify(answer.error));
      return answer.result;
    },
    announce: (block) => {
      for (const listener of listeners) listener(block);
    },
    close: async () => {
      await server?.stop();
    },
  };
}
