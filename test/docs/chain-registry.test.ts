// The chain's own entry for the chain registry, held against the registry's rules for the members that we fill in, and
// against the two that its schemas only tell people: base and display are among the units of a token.

import { afterAll, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { devGenesis } from "../../src/chain/dev-genesis.ts";
import type { DevOptions, Node } from "../../src/node.ts";
import { HIDEABLE } from "../../src/node.ts";
import type { JsonObject } from "../harness/door.ts";
import { openDevNode } from "./dev-node.ts";

const TEXT = { type: "string", minLength: 1 };
const VERSION = { type: "string", pattern: String.raw`^v?\d+(\.\d+){0,2}$` };
const PRICE = { type: "number", minimum: 0 };
const PRICES = ["fixed_min_gas_price", "low_gas_price", "average_gas_price", "high_gas_price"];
const NAME = { type: "string", pattern: "^[a-z0-9]+$" };
const ENDPOINTS = list(
  object({ address: { type: "string", pattern: "^https?://[^/]+$" }, provider: TEXT }, ["address"]),
);

const CHAIN = object(
  {
    chain_name: NAME,
    chain_type: { const: "cosmos" },
    chain_id: TEXT,
    pretty_name: TEXT,
    status: { enum: ["live", "upcoming", "killed"] },
    network_type: { enum: ["mainnet", "testnet", "devnet"] },
    bech32_prefix: { type: "string", pattern: "^[a-z0-9]+$" },
    daemon_name: TEXT,
    key_algos: list({ enum: ["secp256k1", "ethsecp256k1", "ed25519", "sr25519", "bn254"] }),
    slip44: { type: "integer", minimum: 0 },
    fees: object({
      fee_tokens: list(object({ denom: TEXT, ...Object.fromEntries(PRICES.map((name) => [name, PRICE])) }, ["denom"])),
    }),
    codebase: object(
      {
        recommended_version: TEXT,
        sdk: object({ type: { const: "cosmos" }, version: VERSION }, ["type"]),
        consensus: object({ type: { const: "cometbft" }, version: VERSION }, ["type"]),
      },
      [],
    ),
    apis: object({ rpc: ENDPOINTS, rest: ENDPOINTS }, []),
  },
  ["chain_name", "chain_type", "chain_id", "bech32_prefix", "slip44", "fees", "apis"],
);

const UNIT = object(
  { denom: TEXT, exponent: { type: "integer", minimum: 0 }, aliases: { ...list(TEXT), minItems: 1 } },
  ["denom", "exponent"],
);

const ASSET_LIST = object({
  chain_name: NAME,
  assets: list(
    object(
      {
        description: TEXT,
        denom_units: { ...list(UNIT), minItems: 1 },
        type_asset: { enum: ["sdk.coin", "ics20"] },
        base: TEXT,
        name: { ...TEXT, maxLength: 30 },
        display: TEXT,
        symbol: TEXT,
      },
      ["denom_units", "base", "display", "name", "symbol"],
    ),
  ),
});

/** Nothing but these members; all of them required unless told otherwise. */
function object(properties: object, required = Object.keys(properties)): object {
  return { type: "object", properties, required, additionalProperties: false };
}

function list(items: object): object {
  return { type: "array", items };
}

const ajv = new Ajv2020({ allErrors: true });
const nodes: Node[] = [];

afterAll(async () => {
  for (const node of nodes) await node.close();
});

async function registryOf(options: Partial<DevOptions>): Promise<{ chain: JsonObject; assetList: JsonObject }> {
  const node = await openDevNode({ rpc: { host: "127.0.0.1", port: 0 }, ...options });
  nodes.push(node);
  const [chain, assetList] = await Promise.all(
    ["/chain.json", "/assetlist.json"].map(async (path) => (await (await fetch(node.url + path)).json()) as JsonObject),
  );
  return { chain: chain as JsonObject, assetList: assetList as JsonObject };
}

function complaints(schema: object, value: unknown): string[] {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** A chain id with what a name may not have, and a token with a long name and one unit only. */
function oddGenesis(): JsonObject {
  const genesis = JSON.parse(JSON.stringify(devGenesis({ chainId: "Odd_Chain-7" }))) as JsonObject;
  const { bank } = genesis.app_state as { bank: { denom_metadata: JsonObject[] } };
  const denom_units = [{ denom: "ulong", exponent: 0, aliases: [] }];
  const plain = { description: "", uri: "", uri_hash: "", display: "ulong", symbol: "LONG" };
  bank.denom_metadata.push({ ...plain, base: "ulong", name: "n".repeat(99), denom_units });
  return genesis;
}

const WAYS: Readonly<Record<string, Partial<DevOptions>>> = {
  "the development chain": {},
  "prices for gas": { minGasPrices: [{ denom: "uorr", price: 25n * 10n ** 15n }] },
  "without an RPC door": { rpc: null },
  "with everything hidden that can be": { hideNodeInfo: HIDEABLE },
  "addresses for others": { publicUrls: { api: "https://api.example", rpc: "https://rpc.example" } },
  "an odd token and an odd name": { genesis: oddGenesis() },
};

test.each(Object.keys(WAYS))("%s", async (way) => {
  const { chain, assetList } = await registryOf(WAYS[way] as Partial<DevOptions>);
  expect(complaints(CHAIN, chain)).toEqual([]);
  expect(complaints(ASSET_LIST, assetList)).toEqual([]);
  expect(assetList.chain_name).toBe(chain.chain_name as string);
  for (const { base, display, denom_units } of assetList.assets as JsonObject[]) {
    const units = (denom_units as JsonObject[]).map(({ denom }) => denom);
    expect(units).toContain(base as string);
    expect(units).toContain(display as string);
  }
});

test("what the registry would refuse is told apart", async () => {
  const { chain, assetList } = await registryOf({});
  for (const wrong of [{ chain_name: "Orrery-1" }, { slip44: "118" }, { more: 1 }, { apis: { rest: [{}] } }]) {
    expect(complaints(CHAIN, { ...chain, ...wrong })).not.toEqual([]);
  }
  const [asset] = assetList.assets as JsonObject[];
  for (const wrong of [{ symbol: "" }, { name: "n".repeat(31) }, { denom_units: [] }, { type_asset: "gold" }]) {
    expect(complaints(ASSET_LIST, { ...assetList, assets: [{ ...asset, ...wrong }] })).not.toEqual([]);
  }
});
