// The rules by which the transactions of a chain are executed and checked, from what the chain began with.

import type { ChainRules } from "../chain/execute-block.ts";
import { verifySecp256k1 } from "../chain/secp256k1.ts";
import type { ChainGenesis } from "./chain-state.ts";
import { rememberVerified } from "./verified-signatures.ts";

export function chainRules({ bech32Prefix, params }: Pick<ChainGenesis, "bech32Prefix" | "params">): ChainRules {
  return { bech32Prefix, maxGas: params.block.maxGas, verify: rememberVerified(verifySecp256k1) };
}
