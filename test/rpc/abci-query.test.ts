// The state through abci_query: services by their path, raw keys, and proofs that foreign verifiers accept.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  calculateExistenceRoot,
  iavlSpec,
  ics23,
  tendermintSpec,
  verifyMembership,
  verifyNonMembership,
} from "@confio/ics23";
import { NEIGHBOURS } from "../../src/api/neighbours.ts";
import { OPERATIONS } from "../../src/api/operations.ts";
import { encodeAddress, parseAddress } from "../../src/codec/address.ts";
import { type Bytes, concatBytes, fromBase64, fromHex, toHex, utf8Decode, utf8Encode } from "../../src/codec/bytes.ts";
import { verifyQueryProof } from "../../src/codec/verify-proof.ts";
import {
  AddressStringToBytesRequestSchema,
  AddressStringToBytesResponseSchema,
  QueryAccountRequestSchema,
  QueryAccountResponseSchema,
} from "../../src/gen/cosmos/auth/v1beta1/query_pb.ts";
import {
  QueryAllBalancesRequestSchema,
  QueryAllBalancesResponseSchema,
  QueryBalanceRequestSchema,
  QueryBalanceResponseSchema,
  QueryDenomOwnersRequestSchema,
  QueryDenomOwnersResponseSchema,
} from "../../src/gen/cosmos/bank/v1beta1/query_pb.ts";
import {
  TxDecodeRequestSchema,
  TxDecodeResponseSchema,
  TxEncodeRequestSchema,
  TxEncodeResponseSchema,
} from "../../src/gen/cosmos/tx/v1beta1/service_pb.ts";
import {
  QueryAllDidRequestSchema,
  QueryAllDidResponseSchema,
  QueryGetDidRequestSchema,
  QueryGetDidResponseSchema,
} from "../../src/gen/orrery/identity/v1/query_pb.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import { DEV_ADDRESSES, DEV_HEIGHT, loadDevChain } from "../harness/dev-chain.ts";
import type { Json } from "../harness/door.ts";
import { loadRecording } from "../harness/recorded-chain.ts";
import { richTxs } from "../harness/rich-block.ts";
import { openRpcDoor, type RpcDoor } from "../harness/rpc-door.ts";
import { openSolo } from "../harness/solo-chain.ts";

type Op = { type: string; key: string; data: string };
type Response = {
  code: number;
  log: string;
  codespace: string;
  key: string | null;
  value: string | null;
  height: string;
  proofOps: { ops: Op[] } | null;
};

const [dev, recording] = [openMemoryStore(), openMemoryStore()];
let [door, recorded]: RpcDoor[] = [];
beforeAll(async () => {
  await loadDevChain(dev);
  await loadRecording(recording);
  door = openRpcDoor(dev);
  recorded = openRpcDoor(recording);
});
afterAll(() => {
  expect([...door!.faults, ...recorded!.faults]).toEqual([]);
});

async function query(
  path: string,
  data: Uint8Array,
  options: { height?: number; prove?: boolean; at?: RpcDoor } = {},
): Promise<Response> {
  const { height = 0, prove = false, at = door! } = options;
  const params = { path, data: toHex(data), height: String(height), prove };
  return ((await at.call("abci_query", params)) as { response: Json }).response as unknown as Response;
}

async function ask<I extends DescMessage, O extends DescMessage>(
  path: string,
  input: I,
  init: MessageInitShape<I>,
  output: O,
): Promise<MessageShape<O>> {
  const answer = await query(path, toBinary(input, create(input, init)));
  expect(answer).toMatchObject({ code: 0, log: "", key: null, proofOps: null, height: String(DEV_HEIGHT) });
  return fromBinary(output, fromBase64(answer.value!));
}

const alice = DEV_ADDRESSES[0]!;
const aliceKey = concatBytes(Uint8Array.of(1), parseAddress(alice, "cosmos"));

describe("services", () => {
  test("protobuf in, protobuf out", async () => {
    const path = "/cosmos.auth.v1beta1.Query/Account";
    const { account } = await ask(path, QueryAccountRequestSchema, { address: alice }, QueryAccountResponseSchema);
    expect(account?.typeUrl).toBe("/cosmos.auth.v1beta1.BaseAccount");
    const bank = "/cosmos.bank.v1beta1.Query";
    const request = { address: alice };
    const all = await ask(
      `${bank}/AllBalances`,
      QueryAllBalancesRequestSchema,
      request,
      QueryAllBalancesResponseSchema,
    );
    const [first] = all.balances;
    const one = { address: alice, denom: first!.denom };
    const single = await ask(`${bank}/Balance`, QueryBalanceRequestSchema, one, QueryBalanceResponseSchema);
    expect(single.balance).toEqual(first!);
  });

  test("every operation and neighbour has its path, but for the way in", async () => {
    for (const { id, rpc } of [...OPERATIONS, ...NEIGHBOURS]) {
      const { log } = await query(`/${rpc.parent.typeName}/${rpc.name}`, new Uint8Array(0));
      expect([id, log === "unknown query path: unknown request"]).toEqual([id, id === "broadcastTx"]);
    }
  });

  test("holders, addresses and a transaction's form", async () => {
    const owners = { denom: "uorr", pagination: { limit: 2n, countTotal: true } };
    const bank = "/cosmos.bank.v1beta1.Query";
    const held = await ask(
      `${bank}/DenomOwners`,
      QueryDenomOwnersRequestSchema,
      owners,
      QueryDenomOwnersResponseSchema,
    );
    expect(held.denomOwners).toHaveLength(2);
    expect(held.pagination?.total).toBeGreaterThan(2n);
    const addressString = alice;
    const auth = "/cosmos.auth.v1beta1.Query";
    const { addressBytes } = await ask(
      `${auth}/AddressStringToBytes`,
      AddressStringToBytesRequestSchema,
      { addressString },
      AddressStringToBytesResponseSchema,
    );
    expect(addressBytes).toEqual(parseAddress(alice, "cosmos"));
    const tx = { body: { memo: "nothing to do" }, authInfo: {}, signatures: [Uint8Array.of(1)] };
    const service = "/cosmos.tx.v1beta1.Service";
    const encoded = await ask(`${service}/TxEncode`, TxEncodeRequestSchema, { tx }, TxEncodeResponseSchema);
    const { txBytes } = encoded;
    const decoded = await ask(`${service}/TxDecode`, TxDecodeRequestSchema, { txBytes }, TxDecodeResponseSchema);
    expect(decoded.tx?.body?.memo).toBe("nothing to do");
  });

  test("identity", async () => {
    const service = "/orrery.identity.v1.Query";
    const all = await ask(`${service}/DidAll`, QueryAllDidRequestSchema, {}, QueryAllDidResponseSchema);
    const [listed] = all.didDocument;
    const request = { did: listed!.iD };
    const one = await ask(`${service}/Did`, QueryGetDidRequestSchema, request, QueryGetDidResponseSchema);
    expect(one.didDocument?.iD).toBe(listed!.iD);
  });

  test("refusals stand in the response", async () => {
    const stranger = encodeAddress("cosmos", new Uint8Array(20).fill(0xee));
    const request = (address: string) =>
      toBinary(QueryAccountRequestSchema, create(QueryAccountRequestSchema, { address }));
    const path = "/cosmos.auth.v1beta1.Query/Account";
    expect(await query(path, request(stranger))).toMatchObject({
      code: 22,
      codespace: "sdk",
      log: `rpc error: code = NotFound desc = account ${stranger} not found: key not found`,
      value: null,
    });
    expect(await query(path, request("nonsense"))).toMatchObject({ code: 18, codespace: "sdk" });
    expect(await query(path, utf8Encode("\xff\xff"))).toMatchObject({ code: 18 });
    expect(await query(path, request(alice), { height: 99 })).toMatchObject({
      code: 26,
      log: "cannot query with height in the future; please provide a valid height: invalid height",
    });
    expect(await query(path, request(alice), { height: -1 })).toMatchObject({ code: 18 });
    expect(await query("/cosmos.staking.v1beta1.Query/Validators", new Uint8Array(0))).toMatchObject({
      code: 6,
      log: "unknown query path: unknown request",
    });
    expect(await query("/cosmos.tx.v1beta1.Service/BroadcastTx", new Uint8Array(0))).toMatchObject({ code: 6 });
    expect(await query("", new Uint8Array(0))).toMatchObject({
      code: 6,
      log: "no query path provided: unknown request",
    });
  });

  test("the version of the application", async () => {
    const { code, value } = await query("/app/version", new Uint8Array(0));
    expect([code, utf8Decode(fromBase64(value!))]).toEqual([0, "0.0.0"]);
  });
});

describe("raw keys", () => {
  test("present, absent, and empty ones", async () => {
    const present = await query("/store/acc/key", aliceKey);
    expect(present).toMatchObject({ code: 0, key: Buffer.from(aliceKey).toString("base64"), proofOps: null });
    expect(present.value).not.toBeNull();
    expect(await query("/store/acc/key", fromHex("01ff"))).toMatchObject({ code: 0, value: null });
  });

  test("all keys with a prefix", async () => {
    const { code, value } = await query("/store/bank/subspace", Uint8Array.of(0));
    expect(code).toBe(0);
    expect(fromBase64(value!).length).toBeGreaterThan(20);
  });

  test.each<[path: string, data: Bytes, code: number, log: string]>([
    ["/store/nope/key", aliceKey, 6, "no such store: nope: unknown request"],
    ["/store/toString/key", aliceKey, 6, "no such store: toString: unknown request"],
    ["/store/acc/nope", aliceKey, 6, "unexpected query path: /nope: unknown request"],
    ["/store/acc/key", new Uint8Array(0), 2, "query cannot be zero length: tx parse error"],
  ])("%s", async (path, data, code, log) => {
    expect(await query(path, data)).toMatchObject({ code, log, codespace: "sdk", key: null, value: null });
  });
});

describe("proofs", () => {
  const keys: [what: string, store: "acc" | "bank" | "identity", key: Bytes][] = [
    ["an account", "acc", aliceKey],
    ["an absent account", "acc", fromHex(`01${"ff".repeat(20)}`)],
    ["before the first key", "identity", fromHex("00")],
    ["after the last key", "acc", fromHex("ff")],
    ["a supply", "bank", concatBytes(Uint8Array.of(0), utf8Encode("uorr"))],
    ["an absent supply", "bank", concatBytes(Uint8Array.of(0), utf8Encode("nothing"))],
    ["parameters of identity", "identity", utf8Encode("Params")],
    ["a document", "identity", utf8Encode(`DidDocument/value/did:orr:${alice}/`)],
    ["an absent document", "identity", utf8Encode("DidDocument/value/did:orr:nobody/")],
  ];

  describe.each([2, 3, DEV_HEIGHT - 1])("at height %d", (height) => {
    test.each(keys)("%s", async (what, store, key) => {
      const { code, value, proofOps } = await query(`/store/${store}/key`, key, { height, prove: true });
      expect(code).toBe(0);
      const appHash = await appHashIn(height + 1);
      const ops = proofOps!.ops.map((op) => ({ type: op.type, key: fromBase64(op.key), data: fromBase64(op.data) }));
      const found = value === null ? null : fromBase64(value);
      expect(found === null).toBe(/absent|before|after/.test(what));
      verifyQueryProof({ storeName: store, key, value: found, ops, appHash });
      expect(acceptedByOthers(store, key, found, ops[0]!.data, ops[1]!.data, appHash)).toBe(true);
      // A foreign root, or a foreign value, is not accepted.
      const other = appHash.map((byte) => byte ^ 1);
      expect(acceptedByOthers(store, key, found, ops[0]!.data, ops[1]!.data, other)).toBe(false);
      if (found !== null) {
        expect(
          acceptedByOthers(store, key, concatBytes(found, fromHex("00")), ops[0]!.data, ops[1]!.data, appHash),
        ).toBe(false);
      }
    });
  });

  test("the newest height is proved under the header that will follow", async () => {
    const store = openMemoryStore();
    const solo = await openSolo(store);
    await solo.produceBlock();
    const at = openRpcDoor(store);
    const { height, value, proofOps } = await query("/store/acc/key", aliceKey, { prove: true, at });
    expect(height).toBe("2");
    expect(proofOps?.ops.map(({ type }) => type)).toEqual(["ics23:iavl", "ics23:simple"]);
    await solo.produceBlock(richTxs());
    await solo.stop();
    const [inStore, ofStore] = proofOps!.ops.map(({ data }) => fromBase64(data)) as [Bytes, Bytes];
    const accepted = async (header: number) =>
      acceptedByOthers("acc", aliceKey, fromBase64(value!), inStore, ofStore, await appHashIn(header, at));
    expect([await accepted(2), await accepted(3)]).toEqual([false, true]);
    expect(at.faults).toEqual([]);
  });

  test("none of the first height, none of a recording", async () => {
    expect(await query("/store/acc/key", aliceKey, { height: 1, prove: true })).toMatchObject({
      code: 18,
      log: "cannot query with proof when height <= 1; please provide a valid height: invalid request",
    });
    expect(await query("/store/acc/key", aliceKey, { at: recorded!, prove: true })).toMatchObject({ code: 18 });
    expect(await query("/store/acc/key", aliceKey, { at: recorded!, height: 5 })).toMatchObject({ code: 18 });
  });
});

async function appHashIn(height: number, at: RpcDoor = door!): Promise<Bytes> {
  const answer = await at.call("header", { height: String(height) });
  return fromHex((answer as { header: { app_hash: string } }).header.app_hash);
}

/** The public library's judgement, as a light client would ask for it. */
function acceptedByOthers(
  store: string,
  key: Bytes,
  value: Bytes | null,
  inStore: Bytes,
  ofStore: Bytes,
  appHash: Bytes,
): boolean {
  const [proof, storeProof] = [ics23.CommitmentProof.decode(inStore), ics23.CommitmentProof.decode(ofStore)];
  const leaf = proof.exist ?? proof.nonexist?.left ?? proof.nonexist?.right;
  const root = calculateExistenceRoot(leaf!);
  const inTree =
    value === null
      ? verifyNonMembership(proof, iavlSpec, root, key)
      : verifyMembership(proof, iavlSpec, root, key, value);
  return inTree && verifyMembership(storeProof, tendermintSpec, appHash, utf8Encode(store), root);
}
