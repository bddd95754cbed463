// The running chain in the shape of the chain registry: what wallets and explorers read to know a chain they were not
// built for.

import { create, fromBinary } from "@bufbuild/protobuf";
import { bodyBytes } from "../api/answer-body.ts";
import type { Queries } from "../api/operations.ts";
import type { GasPrice } from "../codec/gas-price.ts";
import type { Metadata } from "../gen/cosmos/bank/v1beta1/bank_pb.ts";
import {
  QueryDenomsMetadataRequestSchema,
  QueryDenomsMetadataResponseSchema,
} from "../gen/cosmos/bank/v1beta1/query_pb.ts";
import { GetNodeInfoRequestSchema, GetNodeInfoResponseSchema } from "../gen/cosmos/base/tendermint/v1beta1/query_pb.ts";

export type RegistryFacts = {
  readonly bech32Prefix: string;
  /** Whether the node makes the chain's blocks by itself. */
  readonly isDevnet: boolean;
  readonly minGasPrices: readonly GasPrice[];
  /** Where the doors are for others; null where there is none. Asked each time: a free port is known late. */
  readonly doors: () => { readonly rest: string | null; readonly rpc: string | null };
};

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

/** The most that one page holds; a chain with more tokens than that is listed up to there. */
const MOST_TOKENS = 1000n;
/** The number of the ecosystem's coin type, which its wallets derive keys with. */
const COIN_TYPE = 118;
const LONGEST_NAME = 30;

export async function chainJson(facts: RegistryFacts, queries: Queries): Promise<JsonObject> {
  const { bech32Prefix, isDevnet, minGasPrices } = facts;
  const { chainId, version, sdk, consensus } = await nodeOf(queries);
  const { rest, rpc } = facts.doors();
  const native = (await tokensOf(queries)).map(({ base }) => base).filter(isNative);
  const prices = minGasPrices.length > 0 ? minGasPrices : native.map((denom) => ({ denom, price: 0n }));
  return {
    chain_name: chainName(chainId),
    chain_type: "cosmos",
    chain_id: chainId,
    pretty_name: chainId,
    status: "live",
    ...(isDevnet ? { network_type: "devnet" } : {}),
    bech32_prefix: bech32Prefix,
    daemon_name: "orrery",
    key_algos: ["secp256k1"],
    slip44: COIN_TYPE,
    fees: { fee_tokens: prices.map(({ denom, price }) => ({ denom, ...gasPrices(Number(price) / 1e18) })) },
    codebase: {
      ...(version === "" ? {} : { recommended_version: version }),
      sdk: { type: "cosmos", version: sdk },
      consensus: { type: "cometbft", version: consensus },
    },
    apis: { rpc: endpoints(rpc), rest: endpoints(rest) },
  };
}

export async function assetListJson(queries: Queries): Promise<JsonObject> {
  const { chainId } = await nodeOf(queries);
  return { chain_name: chainName(chainId), assets: (await tokensOf(queries)).map(asset) };
}

async function nodeOf(queries: Queries) {
  const { body } = await queries.getNodeInfo(create(GetNodeInfoRequestSchema), undefined);
  const { defaultNodeInfo, applicationVersion } = fromBinary(GetNodeInfoResponseSchema, bodyBytes(body));
  return {
    chainId: defaultNodeInfo?.network ?? "",
    consensus: defaultNodeInfo?.version ?? "",
    version: applicationVersion?.version ?? "",
    sdk: applicationVersion?.cosmosSdkVersion ?? "",
  };
}

async function tokensOf(queries: Queries): Promise<Metadata[]> {
  const request = create(QueryDenomsMetadataRequestSchema, { pagination: { limit: MOST_TOKENS } });
  const { body } = await queries.listTokens(request, undefined);
  return fromBinary(QueryDenomsMetadataResponseSchema, bodyBytes(body)).metadatas;
}

function asset({ description, denomUnits, base, name, display, symbol }: Metadata): JsonObject {
  return {
    ...(description === "" ? {} : { description }),
    denom_units: denomUnits.map(({ denom, exponent, aliases }) => ({
      denom,
      exponent,
      ...(aliases.length === 0 ? {} : { aliases }),
    })),
    base,
    name: (name || display || base).slice(0, LONGEST_NAME),
    display: display || base,
    symbol: symbol || display || base,
    type_asset: base.startsWith("ibc/") ? "ics20" : "sdk.coin",
  };
}

/** Small letters and digits, which is all that a name may have. */
function chainName(chainId: string): string {
  return chainId.toLowerCase().replaceAll(/[^a-z0-9]/g, "") || "chain";
}

/** Tokens from elsewhere, and ones that an account made, are no money for fees. */
function isNative(denom: string): boolean {
  return !denom.includes("/");
}

function gasPrices(lowest: number): JsonObject {
  const ordinary = {
    low_gas_price: lowest,
    average_gas_price: Number((lowest * 1.5).toPrecision(12)),
    high_gas_price: lowest * 2,
  };
  return { fixed_min_gas_price: lowest, ...ordinary };
}

function endpoints(address: string | null): Json {
  return address === null ? [] : [{ address, provider: "orrery" }];
}
