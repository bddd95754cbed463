// Random but lawful changes of the whole state, for tests that need much history: accounts, balances, supply, metadata
// and identity documents. The same seed gives the same changes.

import { create } from "@bufbuild/protobuf";
import { createExecuteBlock, type ExecuteBlock } from "../../src/chain/execute-block.ts";
import { verifySecp256k1 } from "../../src/chain/secp256k1.ts";
import { encodeAddress } from "../../src/codec/address.ts";
import { type Bytes, utf8Encode } from "../../src/codec/bytes.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { BaseAccountSchema } from "../../src/gen/cosmos/auth/v1beta1/auth_pb.ts";
import { MetadataSchema } from "../../src/gen/cosmos/bank/v1beta1/bank_pb.ts";
import { DidDocumentSchema, KeyType } from "../../src/gen/orrery/identity/v1/did_pb.ts";
import { baseOf, decodeAccount, getAccount, nextAccountNumber, putAccount } from "../../src/state/account.ts";
import { getBalance, getSupply, putBalance, putMetadata, putSupply } from "../../src/state/bank.ts";
import { putDocument, removeDocument } from "../../src/state/identity.ts";
import type { Branch } from "../../src/store/branch.ts";

/** An integer from 0 to below `limit`. */
export type Random = (limit: number) => number;

/** Small numbers, so that changes meet: the same keys are written, removed and written again. */
const ADDRESSES = 30;
const DENOMS = 8;
const DIDS = 16;
const ALIASES = 6;
const KEYS = 2;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const poolAddress = (n: number): Bytes => sha256(utf8Encode(`address ${n % ADDRESSES}`)).slice(0, 20) as Bytes;
export const poolAddressText = (n: number): string => encodeAddress("cosmos", poolAddress(n));
export const poolDenom = (n: number): string => `udenom${n % DENOMS}`;
export const poolDid = (n: number): string => `did:orr:devnet:pool${n % DIDS}`;
/** A document has one of them at a time, so that a rewritten one is no longer found by its former key. */
export const poolKeyId = (did: string, n: number): string => `${did}#key-${1 + (n % KEYS)}`;
/** URIs: many may claim one, which a bare name does not allow. */
export const poolAlias = (n: number): string => `urn:alias:${n % ALIASES}`;

const executeBlock = createExecuteBlock({ bech32Prefix: "cosmos", maxGas: -1n, verify: verifySecp256k1 });

/** Blocks that change the state at random on top of what they do by themselves; the height is the seed. */
export const executeRandomBlock: ExecuteBlock = async (branch, header, txs) => {
  const random = seededRandom(Number(header.height));
  const changes = 3 + random(6);
  for (let i = 0; i < changes; i++) await STEPS[random(STEPS.length)]!(branch, random);
  return executeBlock(branch, header, txs);
};

type Step = (branch: Branch, random: Random) => Promise<void>;

const STEPS: readonly Step[] = [
  touchAccount,
  mint,
  burn,
  send,
  send,
  describe,
  writeDocument,
  writeDocument,
  dropDocument,
];

async function touchAccount(branch: Branch, random: Random): Promise<void> {
  const n = random(ADDRESSES);
  const stored = await getAccount(branch, poolAddress(n));
  if (stored === null) {
    const accountNumber = await nextAccountNumber(branch);
    const account = create(BaseAccountSchema, { address: poolAddressText(n), accountNumber });
    putAccount(branch, poolAddress(n), account);
    return;
  }
  const account = decodeAccount(stored);
  baseOf(account).sequence += 1n;
  putAccount(branch, poolAddress(n), account);
}

async function mint(branch: Branch, random: Random): Promise<void> {
  const [address, denom, amount] = [poolAddress(random(ADDRESSES)), poolDenom(random(DENOMS)), BigInt(1 + random(1e6))];
  await putBalance(branch, address, denom, (await getBalance(branch, address, denom)) + amount);
  putSupply(branch, denom, (await getSupply(branch, denom)) + amount);
}

async function burn(branch: Branch, random: Random): Promise<void> {
  const [address, denom] = [poolAddress(random(ADDRESSES)), poolDenom(random(DENOMS))];
  const balance = await getBalance(branch, address, denom);
  await putBalance(branch, address, denom, 0n);
  putSupply(branch, denom, (await getSupply(branch, denom)) - balance);
}

async function send(branch: Branch, random: Random): Promise<void> {
  const [from, to, denom] = [poolAddress(random(ADDRESSES)), poolAddress(random(ADDRESSES)), poolDenom(random(DENOMS))];
  const balance = await getBalance(branch, from, denom);
  const amount = random(3) === 0 ? balance : balance / 3n;
  await putBalance(branch, from, denom, balance - amount);
  await putBalance(branch, to, denom, (await getBalance(branch, to, denom)) + amount);
}

async function describe(branch: Branch, random: Random): Promise<void> {
  const base = poolDenom(random(DENOMS));
  const description = `described ${random(1000)} times`;
  putMetadata(branch, create(MetadataSchema, { base, display: base, description, denomUnits: [{ denom: base }] }));
}

async function writeDocument(branch: Branch, random: Random): Promise<void> {
  const iD = poolDid(random(DIDS));
  const aliases = Array.from({ length: random(4) }, () => poolAlias(random(ALIASES)));
  const document = create(DidDocumentSchema, {
    iD,
    creator: poolAddressText(random(ADDRESSES)),
    alsoKnownAs: [...new Set(aliases)],
    verificationMethod: { data: [{ iD: poolKeyId(iD, random(KEYS)), type: KeyType.KeyType_MULTIKEY, controller: iD }] },
    service: {
      data: [{ iD: `${iD}#site`, type: "LinkedDomains", serviceEndpoint: `https://example.org/${random(99)}` }],
    },
  });
  putDocument(branch, document);
}

async function dropDocument(branch: Branch, random: Random): Promise<void> {
  removeDocument(branch, poolDid(random(DIDS)));
}
