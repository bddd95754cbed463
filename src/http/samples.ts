// Values that the operations can be tried with on this very chain: found by asking the node as any client would.

import type { Ask, Json } from "./ask.ts";

/** By the names of the parameters; what the chain does not hold is missing. `tx` is a transaction to simulate. */
export type Samples = Readonly<Record<string, string>>;

const DID = "/vendor/project/identity/did";
const LOOK_UP = "/vendor/project/identity/key";
const ACCOUNTS = "/core/auth/v1beta1/accounts";
const BALANCES = "/core/bank/v1beta1/balances";
const TOKENS = "/core/bank/v1beta1/denoms_metadata";
const LATEST = "/core/base/consensus/v1beta1/blocks/latest";
const MODULES = "/cosmos/auth/v1beta1/module_accounts";
const TXS = "/cosmos/tx/v1beta1/txs";

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
  return { address, address_string: address, denom, tx };
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

/** The newest block; where a recent one holds transactions, that one. */
async function blockSamples(ask: Ask): Promise<Record<string, string | undefined>> {
  const latest = await text(ask, LATEST, "block", "header", "height");
  if (latest === undefined) return {};
  const recent = BigInt(latest) - BigInt(LOOKED_THROUGH);
  const query = `tx.height>${recent < 0n ? 0n : recent}`;
  const found = await ask(`${TXS}?query=${encodeURIComponent(query)}&order_by=ORDER_BY_DESC&limit=1`);
  const tx = at(found, "tx_responses", 0);
  return { query, hash: asText(at(tx, "txhash")), height: asText(at(tx, "height")) ?? latest };
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
