// Methods about the node: its state, its genesis, its application.

import { type AbciAnswer, type NodeStatus, RpcRefusal } from "../api/rpc-queries.ts";
import { type Bytes, toBase64, utf8Encode } from "../codec/bytes.ts";
import { type Json, publicKeyJson, upperHex } from "../codec/comet-block-json-writer.ts";
import { formatTime } from "../codec/time.ts";
import { method } from "./method.ts";

/** A larger genesis is given in chunks only. */
const CHUNK_BYTES = 16 * 1024 * 1024;

export const NODE_METHODS = [
  method("health", {}, async () => ({})),
  method("status", {}, async ({ queries }) => statusJson(await queries.status())),
  method("net_info", {}, async () => ({ listening: true, listeners: ["Listener(@)"], n_peers: "0", peers: [] })),
  method("genesis", {}, async ({ queries }) => {
    const genesis = genesisOf(queries.genesis());
    if (chunksOf(genesis).length > 1) {
      throw new RpcRefusal("genesis response is large, please use the genesis_chunked API instead");
    }
    return { genesis };
  }),
  method("genesis_chunked", { chunk: "int" }, async ({ queries }, { chunk }) => {
    const chunks = chunksOf(genesisOf(queries.genesis()));
    const data = chunk < 0n ? undefined : chunks[Number(chunk)];
    if (data === undefined) throw new RpcRefusal(`there are ${chunks.length - 1} chunks, ${chunk} is invalid`);
    return { chunk: String(chunk), total: String(chunks.length), data: toBase64(data) };
  }),
  method("abci_info", {}, async ({ queries }) => {
    const { name, version, appVersion, height, appHash } = await queries.abciInfo();
    return {
      response: {
        data: name,
        version,
        ...(appVersion !== 0n && { app_version: String(appVersion) }),
        ...(height !== 0n && { last_block_height: String(height) }),
        ...(appHash.length > 0 && { last_block_app_hash: toBase64(appHash) }),
      },
    };
  }),
  method(
    "abci_query",
    { path: "string", data: "hex", height: "int", prove: "bool" },
    async ({ queries }, question) => ({ response: abciJson(await queries.abciQuery(question)) }),
  ),
];

function statusJson({ node, latest, earliest, validator }: NodeStatus): Json {
  const { p2p, block, app } = node.protocol;
  return {
    node_info: {
      protocol_version: { p2p: String(p2p), block: String(block), app: String(app) },
      id: node.nodeId,
      listen_addr: node.listenAddress,
      network: node.chainId,
      version: node.consensusVersion,
      channels: node.channels,
      moniker: node.moniker,
      other: { tx_index: "on", rpc_address: node.rpcAddress },
    },
    sync_info: {
      latest_block_hash: upperHex(latest.hash),
      latest_app_hash: upperHex(latest.appHash),
      latest_block_height: String(latest.height),
      latest_block_time: formatTime(latest.time, "minimal"),
      earliest_block_hash: upperHex(earliest.hash),
      earliest_app_hash: upperHex(earliest.appHash),
      earliest_block_height: String(earliest.height),
      earliest_block_time: formatTime(earliest.time, "minimal"),
      catching_up: false,
    },
    validator_info: {
      address: upperHex(validator.address),
      pub_key: publicKeyJson(validator.publicKey),
      voting_power: String(validator.votingPower),
    },
  };
}

/** Every member is there: some clients refuse an answer that lacks one. */
function abciJson({ code, codespace, log, key, value, proof, height }: AbciAnswer): Json {
  const ops = proof?.map((op) => ({ type: op.type, key: toBase64(op.key), data: toBase64(op.data) }));
  return {
    code,
    log,
    info: "",
    index: "0",
    key: key && toBase64(key),
    value: value && toBase64(value),
    proofOps: ops === undefined ? null : { ops },
    height: String(height),
    codespace,
  };
}

function genesisOf(genesis: unknown): Json & object {
  if (typeof genesis !== "object" || genesis === null) throw new RpcRefusal("this node does not hold its genesis");
  return genesis as Json & object;
}

/** A genesis never changes, and may be very large: its text is made once. */
const chunksByGenesis = new WeakMap<object, readonly Bytes[]>();

function chunksOf(genesis: object): readonly Bytes[] {
  const known = chunksByGenesis.get(genesis);
  if (known !== undefined) return known;
  const text = utf8Encode(JSON.stringify(genesis));
  const count = Math.ceil(text.length / CHUNK_BYTES);
  const chunks = Array.from({ length: count }, (_, i) => text.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES));
  chunksByGenesis.set(genesis, chunks);
  return chunks;
}
