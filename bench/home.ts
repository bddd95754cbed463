// The generated home that the benchmark serves: a genesis of many accounts with ten balances each, and identity
// documents of about the size that real ones have, imported by the command line like any other genesis.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeAddress } from "../src/codec/address.ts";
import { type Bytes, toBase64 } from "../src/codec/bytes.ts";
import { benchDocument } from "./document.ts";

export type BenchHome = {
  readonly path: string;
  /** Of all accounts, as `pagination.key` takes it. */
  readonly pageKeys: readonly string[];
  /** Of the accounts with a document. */
  readonly addresses: readonly string[];
  readonly dids: readonly string[];
};

const ACCOUNTS = 100_000;
const DOCUMENTS = 10_000;
const CHAIN_ID = "bench-1";
const AUTH_PARAMS = {
  max_memo_characters: "256",
  tx_sig_limit: "7",
  tx_size_cost_per_byte: "10",
  sig_verify_cost_ed25519: "590",
  sig_verify_cost_secp256k1: "1000",
};
const DENOMS = Array.from({ length: 10 }, (_, i) => `ubench${i}`);

export async function makeHome(folder: string): Promise<BenchHome> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const raw = Array.from({ length: ACCOUNTS }, (_, i) => addressOf(i));
  const addresses = raw.map((address) => encodeAddress("cosmos", address));
  const owners = addresses.slice(0, DOCUMENTS);
  const genesisFile = join(folder, "genesis.json");
  writeFileSync(genesisFile, JSON.stringify(genesisOf(addresses, owners)));
  const path = join(folder, "home");
  const command = [process.execPath, join(import.meta.dir, "../src/cli/main.ts"), "import"];
  const done = Bun.spawnSync([...command, "--genesis", genesisFile, "--home", path], {
    stdout: "inherit",
    stderr: "inherit",
  });
  if (done.exitCode !== 0) throw new Error("the generated genesis was not imported");
  return {
    path,
    pageKeys: raw.map(toBase64),
    addresses: owners,
    dids: owners.map((address) => `did:orr:${address}`),
  };
}

function genesisOf(addresses: readonly string[], owners: readonly string[]): unknown {
  const coins = DENOMS.map((denom) => ({ denom, amount: "1000000" }));
  const accounts = addresses.map((address) => ({
    "@type": "/cosmos.auth.v1beta1.BaseAccount",
    address,
    pub_key: null,
    account_number: "0",
    sequence: "0",
  }));
  return {
    genesis_time: "2026-01-01T00:00:00Z",
    chain_id: CHAIN_ID,
    initial_height: "1",
    app_state: {
      auth: { params: AUTH_PARAMS, accounts },
      bank: { params: { default_send_enabled: true }, balances: addresses.map((address) => ({ address, coins })) },
      identity: { didDocumentList: owners.map((address) => benchDocument(address, CHAIN_ID)) },
    },
  };
}

function addressOf(index: number): Bytes {
  return sha256(new TextEncoder().encode(`bench ${index}`)).slice(0, 20) as Bytes;
}
