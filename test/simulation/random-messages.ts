// Messages at random, of every kind that the chain executes. Most of them are right; some are wrong in a way that only
// their execution can tell.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { accountMultikey, ed25519Multikey, x25519Multikey } from "../../src/chain/dev-keys.ts";
import { encodeAddress } from "../../src/codec/address.ts";
import { packAny } from "../../src/codec/any.ts";
import { moduleAddress } from "../../src/codec/key-address.ts";
import { MsgMultiSendSchema, MsgSendSchema } from "../../src/gen/cosmos/bank/v1beta1/tx_pb.ts";
import {
  MsgCreatePeriodicVestingAccountSchema,
  MsgCreatePermanentLockedAccountSchema,
  MsgCreateVestingAccountSchema,
} from "../../src/gen/cosmos/vesting/v1beta1/tx_pb.ts";
import { type DidDocumentSchema, KeyType } from "../../src/gen/orrery/identity/v1/did_pb.ts";
import {
  MsgCreateDidDocumentSchema,
  MsgDeactivateDidDocumentSchema,
  MsgUpdateDidDocumentSchema,
} from "../../src/gen/orrery/identity/v1/tx_pb.ts";
import type { Random } from "../harness/random-changes.ts";
import { type Actor, CAST } from "./cast.ts";

/** A message that `from` signs, in a chain whose clock stands at `now` (seconds). */
export type MakeMessage = (random: Random, from: Actor, now: bigint) => Any;

export const MESSAGES: Readonly<Record<string, MakeMessage>> = {
  send: (random, from) => {
    const amount = coins(random);
    return packAny(
      MsgSendSchema,
      create(MsgSendSchema, { fromAddress: from.address, toAddress: receiver(random), amount }),
    );
  },
  multiSend: (random, from) => {
    const parts = Array.from({ length: 1 + random(3) }, () => amountOf(random));
    const whole = parts.reduce((sum, part) => sum + part, 0n);
    const coin = (amount: bigint) => [{ denom: "uorr", amount: String(amount) }];
    return packAny(
      MsgMultiSendSchema,
      create(MsgMultiSendSchema, {
        inputs: [{ address: from.address, coins: coin(whole) }],
        outputs: parts.map((part) => ({ address: receiver(random), coins: coin(part) })),
      }),
    );
  },
  vesting: (random, from, now) =>
    packAny(
      MsgCreateVestingAccountSchema,
      create(MsgCreateVestingAccountSchema, {
        fromAddress: from.address,
        toAddress: pick(random, CAST).address,
        amount: coins(random),
        endTime: now + BigInt(random(90 * 86_400)) - 86_400n,
        delayed: random(2) === 0,
      }),
    ),
  permanent: (random, from) =>
    packAny(
      MsgCreatePermanentLockedAccountSchema,
      create(MsgCreatePermanentLockedAccountSchema, {
        fromAddress: from.address,
        toAddress: pick(random, CAST).address,
        amount: coins(random),
      }),
    ),
  periodic: (random, from, now) =>
    packAny(
      MsgCreatePeriodicVestingAccountSchema,
      create(MsgCreatePeriodicVestingAccountSchema, {
        fromAddress: from.address,
        toAddress: pick(random, CAST).address,
        startTime: now - 3600n,
        vestingPeriods: Array.from({ length: 1 + random(4) }, () => ({
          length: BigInt(1 + random(20 * 86_400)),
          amount: [{ denom: "uorr", amount: String(amountOf(random)) }],
        })),
      }),
    ),
  create: (random, from) => {
    const document = randomDocument(random, didOf(from), from);
    return packAny(MsgCreateDidDocumentSchema, create(MsgCreateDidDocumentSchema, { creator: from.address, document }));
  },
  update: (random, from) => {
    const subject = random(4) === 0 ? pick(random, CAST) : from;
    const document = randomDocument(random, didOf(subject), from);
    const init = { creator: from.address, document, expectedVersion: random(6) === 0 ? String(1 + random(3)) : "" };
    return packAny(MsgUpdateDidDocumentSchema, create(MsgUpdateDidDocumentSchema, init));
  },
  deactivate: (random, from) => {
    const subject = random(5) === 0 ? pick(random, CAST) : from;
    const init = { creator: from.address, did: didOf(subject), expectedVersion: random(8) === 0 ? "2" : "" };
    return packAny(MsgDeactivateDidDocumentSchema, create(MsgDeactivateDidDocumentSchema, init));
  },
};

/** How often each kind comes; identities are ended seldom, because no DID comes back. */
export const MESSAGE_WEIGHTS: Readonly<Record<string, number>> = {
  send: 10,
  multiSend: 4,
  vesting: 2,
  permanent: 1,
  periodic: 2,
  create: 6,
  update: 7,
  deactivate: 1,
};

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[random(items.length)]!;
}

export function pickWeighted(random: Random, weights: Readonly<Record<string, number>>): string {
  let rest = random(Object.values(weights).reduce((sum, weight) => sum + weight, 0));
  for (const [name, weight] of Object.entries(weights)) {
    rest -= weight;
    if (rest < 0) return name;
  }
  throw new Error("the weights ran out");
}

const BLOCKED = encodeAddress("cosmos", moduleAddress("fee_collector"));

function receiver(random: Random): string {
  return random(30) === 0 ? BLOCKED : pick(random, CAST).address;
}

/** Now and then more than anyone has. */
function amountOf(random: Random): bigint {
  const sizes = [1n, 1_000n, 50_000n, 20_000_000n];
  return random(25) === 0 ? 10n ** 18n : pick(random, sizes) * BigInt(1 + random(99));
}

/** Sorted by denom. `upoint` may not be sent, and most do not own `ucred`. */
function coins(random: Random) {
  const own = { denom: "uorr", amount: String(amountOf(random)) };
  if (random(12) === 0) return [{ denom: "upoint", amount: "1" }];
  return random(5) === 0 ? [{ denom: "ucred", amount: String(1 + random(5000)) }, own] : [own];
}

function didOf({ address }: Actor): string {
  return `did:orr:${address}`;
}

const SIGNING_KEYS = Array.from({ length: 9 }, (_, n) => ed25519Multikey(`key ${n}`));
const AGREEMENT_KEYS = Array.from({ length: 9 }, (_, n) => x25519Multikey(`agreement ${n}`));
const NAMES = Array.from({ length: 12 }, (_, n) => `name${n}.orr`);

/** Names and controllers are few, so that documents get into each other's way. */
function randomDocument(random: Random, did: string, from: Actor): MessageInitShape<typeof DidDocumentSchema> {
  const key = `${did}#key`;
  const names = NAMES.filter(() => random(NAMES.length) === 0);
  const uris = Array.from({ length: random(3) }, () => `https://example.org/${random(20)}`);
  return {
    iD: did,
    controller: random(4) === 0 ? [did, didOf(pick(random, CAST))].slice(random(2)) : [],
    verificationMethod: { data: [randomMethod(random, key, did, from)] },
    authentication: { data: [{ reference: "#key" }] },
    ...(random(3) === 0 && { capabilityInvocation: { data: [{ reference: random(5) === 0 ? "#lost" : "#key" }] } }),
    ...(random(3) === 0 && {
      keyAgreement: { data: [{ verificationMethod: agreementKey(did, random(AGREEMENT_KEYS.length)) }] },
    }),
    ...(random(2) === 0 && {
      service: { data: [{ iD: "#hub", type: "LinkedDomains", serviceEndpoint: `https://hub.example/${random(50)}` }] },
    }),
    alsoKnownAs: [...new Set([...names, ...uris, ...(random(20) === 0 ? ["Not A Name"] : [])])],
  };
}

function randomMethod(random: Random, iD: string, controller: string, from: Actor) {
  const method = { iD, controller };
  switch (random(8)) {
    case 0:
      return { ...method, type: KeyType.KeyType_MULTIKEY, publicKeyMultibase: "z6Mkbroken" };
    case 1:
    case 2:
      return { ...method, type: KeyType.KeyType_MULTIKEY, publicKeyMultibase: pick(random, SIGNING_KEYS) };
    default:
      return {
        ...method,
        type: KeyType.KeyType_ECDSA_SECP256K1_VERIFICATION_KEY_2019,
        publicKeyMultibase: accountMultikey(from.publicKey),
        blockchainAccountId: from.address,
      };
  }
}

function agreementKey(did: string, n: number) {
  const type = KeyType.KeyType_X25519_KEY_AGREEMENT_KEY_2020;
  return { iD: "#agree", controller: did, type, publicKeyMultibase: AGREEMENT_KEYS[n]! };
}
