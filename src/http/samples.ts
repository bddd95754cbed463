// Values that the operations can be tried with on this very chain: found by asking the node as any client would.

import { concatBytes, fromBase64, toBase64 } from "../codec/bytes.ts";
import type { Ask, Json } from "./ask.ts";

/**
 * By the names of the parameters; what the chain does not hold is missing. `tx` is a transaction to simulate; `sent` one
 * that a block holds, `sent_bytes` the same as bytes, and `spent_bytes` where it can never be executed again.
 */
export type Samples = Readonly<Record<string, string>>;

const DID = "/vendor/project/identity/did";
const LOOK_UP = "/vendor/project/identity/key";
const ACCOUNTS = "/core/auth/v1beta1/accounts";
const BALANCES = "/core/bank/v1beta1/balances";
const TOKENS = "/core/bank/v1beta1/denoms_metadata";
const LATEST = "/core/base/consensus/v1beta1/blocks/latest";
const MODULES = "/cosmos/auth/v1beta1/module_accounts";
const TXS = "/cosmos/tx/v1beta1/txs";
const ENCODE = "/cosmos/tx/v1beta1/encode";
const BECH32 = "/cosmos/auth/v1beta1/bech32";
const ACCOUNT_STORE = "/store/acc/key";
const ACCOUNT_PREFIX = 1;

/** How many entries of a list are looked through: the cost of the search must not grow with the chain. */
const LOOKED_THROUGH = 20;

export async function findSamples(ask: Ask): Promise<Samples> {
  const identity = await identitySamples(ask);
  const found: Record<string, string | undefined> = {
    ...identity,
    ...(await bankSamples(ask, identity.creator)),
    id: "0",
    name: await text(ask, MODULES, "accounts", 0, "name"),
    ...(await blockSamples(ask)),
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

async function identitySamples(ask: Ask): Promise<Record<string, string | undefined>> {
  const answer = await ask(`${DID}?pagination.limit=${LOOKED_THROUGH}`);
  const documents = list(at(answer, "didDocument"));
  const first = documents[0];
  if (first === undefined) return {};
  const did = asText(at(first, "iD")) ?? "";
  const firstText = (...steps: Step[]) => documents.map((each) => asText(at(each, ...steps))).find(isGiven);
  return {
    did,
    creator: asText(at(first, "creator")),
    key_id: firstText("verification_method", "data", 0, "iD") ?? did,
    service_id: firstText("service", "data", 0, "iD"),
    network_id: (await networkOf(ask, documents)) ?? undefined,
    method_id: did.split(":")[1],
    aka_id: firstText("also_known_as", 0),
  };
}

/** The network segment of a DID, or the chain of an account that a document names. */
async function networkOf(ask: Ask, documents: readonly Json[]): Promise<string | null> {
  const dids = documents.map((document) => asText(at(document, "iD")) ?? "");
  const segment = dids.map((did) => did.split(":")).find((parts) => parts.length > 3)?.[2];
  if (segment !== undefined) return segment;
  const answer = await ask(`${LOOK_UP}?key_id=${encodeURIComponent(dids[0] as string)}`);
  const account = asText(at(answer, "didDocument", "verification_method", "data", 0, "blockchain_account_id"));
  return isGiven(account) ? account.split(":").slice(0, 2).join(":") : null;
}

/** An account that holds something, if one of the first does. */
async function bankSamples(ask: Ask, creator: string | undefined): Promise<Record<string, string | undefined>> {
  const accounts = list(at(await ask(`${ACCOUNTS}?pagination.limit=${LOOKED_THROUGH}`), "accounts"));
  const addresses = [creator, ...accounts.map(addressOf)].filter(isGiven);
  let address = addresses[0];
  for (const candidate of addresses) {
    const answer = await ask(`${BALANCES}?address=${candidate}&pagination.limit=1`);
    if (list(at(answer, "balances")).length === 0) continue;
    address = candidate;
    break;
  }
  const held =
    address === undefined ? undefined : await text(ask, `${BALANCES}?address=${address}`, "balances", 0, "denom");
  const isDescribed = held !== undefined && (await ask(`${TOKENS}?denom=${encodeURIComponent(held)}`)) !== null;
  const denom = isDescribed ? held : await text(ask, TOKENS, "metadatas", 0, "base");
  const tx = address === undefined || held === undefined ? undefined : sampleTx(address, held);
  return { address, address_string: address, denom, tx, ...(await rawAddress(ask, address)) };
}

/** The bytes of an address, and the key under which the store of accounts holds it. */
async function rawAddress(ask: Ask, address: string | undefined): Promise<Record<string, string | undefined>> {
  const bytes = address === undefined ? undefined : await text(ask, `${BECH32}/${address}`, "address_bytes");
  if (bytes === undefined) return {};
  const data = toBase64(concatBytes(Uint8Array.of(ACCOUNT_PREFIX), fromBase64(bytes)));
  return { address_bytes: bytes, path: ACCOUNT_STORE, data };
}

/** A plain account has its address on its own level, the others inside. */
function addressOf(account: Json): string | undefined {
  return asText(at(account, "address")) ?? asText(at(account, "base_account", "address"));
}

/** One of the smallest unit, from an account to itself. Unsigned, which is enough for a simulation. */
function sampleTx(address: string, denom: string): string {
  const amount = [{ denom, amount: "1" }];
  const message = { "@type": "/cosmos.bank.v1beta1.MsgSend", from_address: address, to_address: address, amount };
  const signer = { mode_info: { single: { mode: "SIGN_MODE_DIRECT" } }, sequence: "0" };
  return JSON.stringify({
    body: { messages: [message] },
    auth_info: { signer_infos: [signer], fee: { amount: [], gas_limit: "200000" } },
    signatures: [""],
  });
}

/** The newest transaction and its block; the newest block where there is none. */
async function blockSamples(ask: Ask): Promise<Record<string, string | undefined>> {
  const latest = await text(ask, LATEST, "block", "header", "height");
  if (latest === undefined) return {};
  const found = await newestTx(ask, BigInt(latest));
  const height = asText(at(found, "tx_responses", 0, "height")) ?? latest;
  const tx = at(found, "txs", 0);
  const sent = tx === undefined ? undefined : JSON.stringify(tx);
  const bytes = sent === undefined ? undefined : asText(at(await ask(ENCODE, `{"tx":${sent}}`), "tx_bytes"));
  const hash = asText(at(found, "tx_responses", 0, "txhash"));
  // Only of one that succeeded is it sure that its sequence is used up, and that it will be refused.
  const spent = at(found, "tx_responses", 0, "code") === 0 ? bytes : undefined;
  return { query: `tx.height=${height}`, hash, height, sent, sent_bytes: bytes, spent_bytes: spent };
}

/** Looks ever further back: a search costs what it finds, and nothing was found nearer. */
async function newestTx(ask: Ask, latest: bigint): Promise<Json> {
  for (let heights = BigInt(LOOKED_THROUGH); ; heights *= BigInt(LOOKED_THROUGH)) {
    const above = heights < latest ? latest - heights : 0n;
    const query = encodeURIComponent(`tx.height>${above}`);
    const found = await ask(`${TXS}?query=${query}&order_by=ORDER_BY_DESC&limit=1`);
    if (above === 0n || at(found, "txs", 0) !== undefined) return found;
  }
}

type Step = string | number;

/** What lies at a place of an answer; undefined where there is none. */
function at(json: Json | null | undefined, ...steps: readonly Step[]): Json | undefined {
  let value: Json | null | undefined = json;
  for (const step of steps) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<Step, Json>)[step];
  }
  return value ?? undefined;
}

function list(json: Json | undefined): readonly Json[] {
  return Array.isArray(json) ? json : [];
}

function asText(json: Json | undefined): string | undefined {
  return typeof json === "string" ? json : undefined;
}

async function text(ask: Ask, path: string, ...steps: Step[]): Promise<string | undefined> {
  return asText(at(await ask(path), ...steps));
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
