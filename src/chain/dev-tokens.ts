// The tokens of the development chain: the chain's own, one with several units, one that came over IBC, one that an
// account made. A fifth, `upoint`, has no metadata, as many tokens of real chains have none.

import type { JsonObject } from "@bufbuild/protobuf";

/** What the Cosmos Hub's ATOM is called on a chain that it reaches over `transfer/channel-0`. */
export const IBC_ATOM = "ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2";

export function devTokens(goldDenom: string): JsonObject[] {
  return [
    {
      description: "The staking and fee token of the development chain",
      denom_units: [unit("uorr", 0, "microorr"), unit("orr", 6)],
      base: "uorr",
      display: "orr",
      name: "Orrery",
      symbol: "ORR",
      uri: "",
      uri_hash: "",
    },
    {
      description: "A credit with several units",
      denom_units: [unit("ucred", 0, "microcred"), unit("mcred", 3, "millicred"), unit("cred", 6, "credit", "kredit")],
      base: "ucred",
      display: "cred",
      name: "Credit",
      symbol: "CRED",
      uri: "https://tokens.example.com/cred.json",
      uri_hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    },
    {
      description: "ATOM of the Cosmos Hub, over IBC",
      denom_units: [unit(IBC_ATOM, 0, "uatom"), unit("atom", 6)],
      base: IBC_ATOM,
      display: "atom",
      name: "Atom",
      symbol: "ATOM",
      uri: "",
      uri_hash: "",
    },
    {
      description: "A token that an account made for itself",
      denom_units: [unit(goldDenom, 0)],
      base: goldDenom,
      display: goldDenom,
      name: "Gold",
      symbol: "GOLD",
      uri: "",
      uri_hash: "",
    },
  ];
}

export function devSendEnabled(): JsonObject[] {
  return [
    { denom: "ucred", enabled: true },
    { denom: "upoint", enabled: false },
  ];
}

function unit(denom: string, exponent: number, ...aliases: string[]): JsonObject {
  return { denom, exponent, aliases };
}
