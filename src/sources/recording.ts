// A recorded chain: the RPC answers of a reference node for every height, and the raw pairs of its stores at the last
// one. Blocks of all heights can be served from it, and the state at its last height.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeBech32 } from "../codec/address.ts";
import { blockCodec, blockIdOf } from "../codec/block.ts";
import { equalBlockIds } from "../codec/block-id.ts";
import { toHex } from "../codec/bytes.ts";
import { headerHash } from "../codec/header.ts";
import { SPACE, type Space, spaceKey } from "../state/keys.ts";
import type { Change } from "../store/store.ts";
import type { ChainGenesis } from "./chain-state.ts";
import { Json, JsonError } from "./json-reader.ts";
import {
  blockFromJson,
  blockIdFromJson,
  commitFromJson,
  consensusParamsFromJson,
  executionFromJson,
  validatorsFromJson,
} from "./rpc-json.ts";
import type { Committed } from "./source.ts";

export type Recording = {
  readonly genesis: ChainGenesis;
  /** The genesis file as it was recorded. */
  readonly genesisJson: unknown;
  /** All heights in order; the last one carries the state. */
  readonly run: readonly Committed[];
};

/** Stores that a recording may hold, each in a file of its name; the first two must be there. */
const STORES: readonly { readonly name: string; readonly space: Space; readonly required: boolean }[] = [
  { name: "acc", space: SPACE.acc, required: true },
  { name: "bank", space: SPACE.bank, required: true },
  { name: "identity", space: SPACE.identity, required: false },
];

/** Throws JsonError with the file and the place of what cannot be read. Hashes, links and votes are checked later. */
export function readRecording(folder: string): Recording {
  const genesisJson = parseFile(join(folder, "rpc", "genesis.json"));
  const blocks = readBlocks(join(folder, "rpc", "blocks"));
  const pairs = STORES.flatMap((store) => readPairs(join(folder, "state", `${store.name}.json`), store));
  const run = blocks.map((block, index) => (index < blocks.length - 1 ? block : { ...block, changes: pairs }));
  return { genesis: genesisOf(new Json(genesisJson, "genesis.json"), run[0]!), genesisJson, run };
}

function readBlocks(folder: string): Committed[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+\.json$/.test(name)) : [];
  if (files.length === 0) throw new JsonError(`${folder} holds no recorded blocks (files like 0001.json)`);
  const committed = files.map((name) => committedFromJson(new Json(parseFile(join(folder, name)), name)));
  return committed.sort((a, b) => (a.height < b.height ? -1 : 1));
}

function committedFromJson(json: Json): Committed {
  const block = blockFromJson(json.at("block").at("block"));
  const encoded = blockCodec.encode(block);
  const blockId = blockIdFromJson(json.at("block").at("block_id"));
  const signed = json.at("commit").at("signed_header");
  const commit = commitFromJson(signed.at("commit"));
  // The bytes are made from the JSON, so the recorded id tells whether they are the bytes that were signed.
  if (!equalBlockIds(blockIdOf(block, encoded), blockId)) {
    throw json
      .at("block")
      .at("block_id")
      .wrong(`the id of the recorded block, ${toHex(headerHash(block.header))}`);
  }
  return {
    height: block.header.height,
    block: encoded,
    blockId,
    commit,
    results: executionFromJson(json.at("block_results")),
    validators: validatorsFromJson(json.at("validators"), block.header),
    consensusParams: consensusParamsFromJson(json.at("consensus_params").at("consensus_params")),
    changes: [],
  };
}

function readPairs(path: string, store: (typeof STORES)[number]): Change[] {
  if (!store.required && !existsSync(path)) return [];
  const pairs = new Json(parseFile(path), path).list();
  return pairs.map((pair): Change => {
    const [key, value, ...more] = pair.list();
    if (key === undefined || value === undefined || more.length > 0) throw pair.wrong("a key and a value");
    return [spaceKey(store.space, key.hex()), value.hex()];
  });
}

/** The set of the first height is the genesis set: no update can act before. */
function genesisOf(json: Json, first: Committed): ChainGenesis {
  const initial = json.at("initial_height");
  if (first.height !== initial.integer()) throw initial.wrong(`${first.height}, the first recorded height`);
  return {
    chainId: json.at("chain_id").string(),
    bech32Prefix: prefixOf(json.at("app_state").at("bank").at("balances")),
    initialHeight: first.height,
    time: json.at("genesis_time").time(),
    params: consensusParamsFromJson(json.at("consensus_params")),
    validators: first.validators.validators.map(({ publicKey, votingPower }) => ({ publicKey, power: votingPower })),
  };
}

/** A genesis does not name its prefix, but every address in it has one. */
function prefixOf(balances: Json): string {
  const address = balances.list()[0]?.at("address");
  if (address === undefined) throw balances.wrong("at least one balance, to know the prefix of addresses");
  return decodeBech32(address.string()).prefix;
}

function parseFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new JsonError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
