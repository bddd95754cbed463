// What a person can try on a chain that began with the development genesis, whose keys everyone has.

import { DEV_MNEMONIC, devAccounts } from "../chain/dev-accounts.ts";
import { JsonValue } from "../codec/json-shape.ts";
import { isDevGenesis } from "./home-chain.ts";

export type SampleAccount = {
  readonly name: string;
  readonly address: string;
  /** The derivation path under the mnemonic. */
  readonly path: string;
  /** Hex. */
  readonly privateKey: string;
};

export type Samples = {
  readonly mnemonic: string;
  readonly accounts: readonly SampleAccount[];
  readonly did: string;
};

/** Null for any other genesis: then nobody's keys are known. */
export function samplesOf(genesis: unknown, bech32Prefix: string): Samples | null {
  if (!isDevGenesis(genesis)) return null;
  const [first] = new JsonValue(genesis, "genesis").get("app_state").get("identity").get("didDocumentList").list();
  return {
    mnemonic: DEV_MNEMONIC,
    accounts: devAccounts(bech32Prefix).map(({ name, address, path, privateKeyHex }) => {
      return { name, address, path, privateKey: privateKeyHex };
    }),
    did: first!.get("iD").string(),
  };
}
