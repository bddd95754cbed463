// A recorded chain: the RPC answers of a reference node for every height, and the raw pairs of its stores at the last
// one. Blocks of all heights can be served from it, and the state at its last height.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeBech32 } from "../codec/address.ts";
import { blockCodec, blockIdOf } from "../codec/block.ts";
import { equalBlockIds } from "../codec/block-id.ts";
import { type Bytes, toHex } from "../codec/bytes.ts";
import { parseRecordedHeight, type RecordedHeight, readConsensusParams } from "../codec/comet-json.ts";
import { JsonError, JsonValue } from "../codec/json-shape.ts";
import { newValidator, type ValidatorSet } from "../codec/validator.ts";
import { findValidator } from "../codec/validator-set.ts";
import { SPACE, type Space, spaceKey } from "../state/keys.ts";
import type { Change } from "../store/store.ts";
import type { ChainGenesis } from "./chain-state.ts";
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
  return { genesis: genesisOf(new JsonValue(genesisJson, "genesis.json"), run[0]!), genesisJson, run };
}

function readBlocks(folder: string): Committed[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+\.json$/.test(name)) : [];
  if (files.length === 0) throw new JsonError(`${folder} holds no recorded blocks (files like 0001.json)`);
  const committed = files.map((name) => committedOf(name, parseRecordedHeight(parseFile(join(folder, name)), name)));
  return committed.sort((a, b) => (a.height < b.height ? -1 : 1));
}

function committedOf(file: string, { blockId, block, results, commit, validators, params }: RecordedHeight): Committed {
  const encoded = blockCodec.encode(block);
  // The bytes are made from the JSON, so the recorded id tells whether they are the bytes that were signed.
  const made = blockIdOf(block, encoded);
  if (!equalBlockIds(made, blockId)) {
    throw new JsonError(`${file}: block_id is not the id of the recorded block, ${toHex(made.hash)}`);
  }
  const { txs, ...execution } = results;
  return {
    height: block.header.height,
    block: encoded,
    blockId,
    commit,
    results: { ...execution, results: txs },
    validators: setOf(validators, block.header.proposerAddress),
    consensusParams: params,
    changes: [],
  };
}

/** The set of a height, with the proposer that its header names: the RPC does not tell whose turn it was. */
function setOf(recorded: RecordedHeight["validators"], proposer: Bytes): ValidatorSet {
  // An address follows from its key, whatever was recorded beside it.
  const validators = recorded.map(({ publicKey, votingPower, proposerPriority }) => {
    return newValidator(publicKey, votingPower, proposerPriority);
  });
  return { validators, proposer: findValidator({ validators, proposer: null }, proposer) };
}

function readPairs(path: string, store: (typeof STORES)[number]): Change[] {
  if (!store.required && !existsSync(path)) return [];
  const pairs = new JsonValue(parseFile(path), path).list();
  return pairs.map((pair): Change => {
    const [key, value, ...more] = pair.list();
    if (key === undefined || value === undefined || more.length > 0) throw pair.not("a key and a value");
    return [spaceKey(store.space, key.hex()), value.hex()];
  });
}

/** The set of the first height is the genesis set: no update can act before. */
function genesisOf(json: JsonValue, first: Committed): ChainGenesis {
  const initial = json.get("initial_height");
  if (first.height !== initial.int64()) throw initial.not(`${first.height}, the first recorded height`);
  return {
    chainId: json.get("chain_id").string(),
    bech32Prefix: prefixOf(json.get("app_state").get("bank").get("balances")),
    initialHeight: first.height,
    time: json.get("genesis_time").time(),
    params: readConsensusParams(json.get("consensus_params")),
    validators: first.validators.validators.map(({ publicKey, votingPower }) => ({ publicKey, power: votingPower })),
  };
}

/** A genesis does not name its prefix, but every address in it has one. */
function prefixOf(balances: JsonValue): string {
  const address = balances.list()[0]?.get("address");
  if (address === undefined) throw balances.not("a list with at least one balance, to know the prefix of addresses");
  return decodeBech32(address.string()).prefix;
}

function parseFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new JsonError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
