// The development chain with a history of its identities: alice's document is changed twice, bob's deactivated.

import { create } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { packAny } from "../../src/codec/any.ts";
import type { DidDocument } from "../../src/gen/orrery/identity/v1/did_pb.ts";
import { MsgDeactivateDidDocumentSchema, MsgUpdateDidDocumentSchema } from "../../src/gen/orrery/identity/v1/tx_pb.ts";
import { decodeDocument, getDocument } from "../../src/state/identity.ts";
import type { Store } from "../../src/store/store.ts";
import { DEV_CHAIN_ID, person, signerOf } from "../harness/dev-txs.ts";
import { signedTx } from "../harness/signed-tx.ts";
import { openSolo } from "../harness/solo-chain.ts";

export const ALICE = didOf("alice");
export const BOB = didOf("bob");
/** Deactivated in the genesis. */
export const HEIDI = didOf("heidi");

export function didOf(name: string): string {
  return `did:orr:${person(name).address}`;
}

/** Heights 1 to 4: the genesis, two updates of alice's service, the end of bob's DID. */
export async function loadDidChain(store: Store): Promise<void> {
  const solo = await openSolo(store);
  const alice = person("alice").address;
  for (const endpoint of ["https://vault.example.com/second", "https://vault.example.com/third/"]) {
    const document = await withEndpoint(store, endpoint);
    const message = create(MsgUpdateDidDocumentSchema, { creator: alice, document });
    await solo.produceBlock([await txOf(store, "alice", packAny(MsgUpdateDidDocumentSchema, message))]);
  }
  const end = create(MsgDeactivateDidDocumentSchema, { creator: person("bob").address, did: BOB });
  await solo.produceBlock([await txOf(store, "bob", packAny(MsgDeactivateDidDocumentSchema, end))]);
  await solo.stop();
}

async function withEndpoint(store: Store, endpoint: string): Promise<DidDocument> {
  const view = store.at(store.head()!);
  const document = decodeDocument((await getDocument(view, ALICE))!);
  view.close();
  document.service!.data[0]!.serviceEndpoint = endpoint;
  return document;
}

async function txOf(store: Store, name: string, message: Any) {
  const view = store.at(store.head()!);
  const signer = await signerOf(view, person(name));
  view.close();
  const fee = [{ denom: "uorr", amount: "5000" }];
  return signedTx({ chainId: DEV_CHAIN_ID, messages: [message], signers: [signer], gasLimit: 1_000_000n, fee });
}
