// The local validators of an embedded chain: their keys in the home, and what a node is called among others.

import { type Bytes, fromBase64, toBase64, toHex } from "../codec/bytes.ts";
import { consensusAddress, ed25519PublicKey, type PublicKey } from "../codec/public-key.ts";
import type { ValidatorUpdate } from "../codec/validator-set.ts";
import { HomeError, homeFile, readHomeJson, writeHomeJson } from "./home.ts";

export type LocalValidator = { readonly address: Bytes; readonly publicKey: PublicKey; readonly seed: Bytes };

/** Of each local validator; equal powers put the set in the order of addresses. */
const LOCAL_POWER = 10n;
/** More would make every block slow and prove nothing more. */
const MOST_VALIDATORS = 100;

const PRIVATE_KEY = "tendermint/PrivKeyEd25519";
const PUBLIC_KEY = "tendermint/PubKeyEd25519";

/** The validators of a home; made, if it has none yet. Refused, if there are others than so many. */
export function loadOrCreateValidators(home: string, count?: number): LocalValidator[] {
  const stored = readHomeJson(home, "validators");
  if (stored !== null) {
    const keys = parseKeys(homeFile(home, "validators"), stored);
    if (count === undefined || count === keys.length) return keys;
    const reason = `${keys.length} local validators, not ${count}; their number is chosen when a chain is new`;
    throw new HomeError(`${home} holds a chain with ${reason}`);
  }
  const validators = createValidators(count);
  writeHomeJson(home, "validators", validators.map(keyFile));
  return validators;
}

export function createValidators(count = 1): LocalValidator[] {
  if (!Number.isInteger(count) || count < 1 || count > MOST_VALIDATORS) {
    throw new HomeError(`${count} validators: at least 1 and at most ${MOST_VALIDATORS} are possible`);
  }
  return Array.from({ length: count }, () => localValidator(crypto.getRandomValues(new Uint8Array(32))));
}

export function localValidator(seed: Bytes): LocalValidator {
  const publicKey = ed25519PublicKey(seed);
  return { address: consensusAddress(publicKey), publicKey, seed };
}

export function initialPowers(validators: readonly LocalValidator[]): ValidatorUpdate[] {
  return validators.map(({ publicKey }) => ({ publicKey, power: LOCAL_POWER }));
}

/** 40 hex digits that name a node among others, from a key that is made with its home. */
export function loadOrCreateNodeId(home: string): string {
  const known = readNodeId(home);
  if (known !== null) return known;
  const key = createValidators(1)[0]!;
  writeHomeJson(home, "node", keyFile(key));
  return toHex(key.address);
}

/** Null for a home without a key of its own. */
export function readNodeId(home: string): string | null {
  const stored = readHomeJson(home, "node");
  return stored === null ? null : toHex(parseKeys(homeFile(home, "node"), [stored])[0]!.address);
}

/** For a node without a home. */
export function temporaryNodeId(): string {
  return toHex(createValidators(1)[0]!.address);
}

/** Of a node that signs nothing: its own, and without any power. */
export function temporaryKey(): PublicKey {
  return createValidators(1)[0]!.publicKey;
}

/** The form of the reference's own key files: the private key is the seed, then the public key. */
function keyFile({ address, publicKey, seed }: LocalValidator) {
  const both = new Uint8Array(64);
  both.set(seed);
  both.set(publicKey.key, 32);
  return {
    address: toHex(address).toUpperCase(),
    pub_key: { type: PUBLIC_KEY, value: toBase64(publicKey.key) },
    priv_key: { type: PRIVATE_KEY, value: toBase64(both) },
  };
}

function parseKeys(path: string, content: unknown): LocalValidator[] {
  if (!Array.isArray(content) || content.length === 0) throw new HomeError(`${path} holds no list of keys`);
  return content.map((entry: ReturnType<typeof keyFile>, index) => {
    try {
      if (entry.priv_key.type !== PRIVATE_KEY) throw new Error(`the type is not ${PRIVATE_KEY}`);
      const both = fromBase64(entry.priv_key.value);
      if (both.length !== 64) throw new Error("64 bytes are wanted");
      const validator = localValidator(both.slice(0, 32));
      if (toBase64(both) !== keyFile(validator).priv_key.value) throw new Error("the two halves do not fit");
      return validator;
    } catch (error) {
      throw new HomeError(`${path}, key ${index + 1}: ${error instanceof Error ? error.message : error}`);
    }
  });
}
