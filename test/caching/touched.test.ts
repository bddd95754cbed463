// Which reads a block touches, exactly: blocks that change one kind of record each, and after every one of them each read
// of the door is asked with the tag that it had. What the records belong to has another tag; everything else is 304, but
// for what tells of the newest block itself and is listed here by name.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { NEIGHBOURS } from "../../src/api/neighbours.ts";
import { OPERATIONS } from "../../src/api/operations.ts";
import { createExecuteBlock } from "../../src/chain/execute-block.ts";
import { verifySecp256k1 } from "../../src/chain/secp256k1.ts";
import { parseAddress } from "../../src/codec/address.ts";
import { type Bytes, utf8Encode } from "../../src/codec/bytes.ts";
import { MetadataSchema } from "../../src/gen/cosmos/bank/v1beta1/bank_pb.ts";
import { DidVersionSchema } from "../../src/gen/orrery/identity/v1/state_pb.ts";
import {
  accountNumberKey,
  accounts,
  baseOf,
  decodeAccount,
  encodeAccount,
  getAuthParams,
  putAuthParams,
} from "../../src/state/account.ts";
import {
  balancesOf,
  getBankParams,
  putBankParams,
  putMetadata,
  putSendEnabled,
  supply,
  tokens,
} from "../../src/state/bank.ts";
import { decodeDocument, documents, encodeDocument, getMeta, putMeta, putVersion } from "../../src/state/identity.ts";
import { useNativeHashing } from "../../src/state/native-hash.ts";
import type { Branch } from "../../src/store/branch.ts";
import { prefixEnd } from "../../src/store/key-range.ts";
import { DEV_ADDRESSES, loadDevChain } from "../harness/dev-chain.ts";
import { type Door, directDoor, NODE } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { openSolo, type SoloFixture } from "../harness/solo-chain.ts";
import { OWN, type Read, readsOf } from "./reads.ts";

useNativeHashing();

/** Their content is another with each block. */
const OF_EVERY_BLOCK: Readonly<Record<string, string>> = {
  "/": "says which heights are kept",
  "/openapi.json": "has the newest block among its examples",
  getLatestBlock: "is the newest block",
  getLatestValidators: "says of which height they are",
  getNodeStatus: "says which height is the newest",
  queryStore: "says at which height it was read",
};

/** No block makes them another. */
const OF_NO_BLOCK: Readonly<Record<string, string>> = {
  "/docs": "the page itself; what it shows comes from elsewhere",
  getAddressBytes: "a conversion",
  getAddressText: "a conversion",
  getBech32Prefix: "a setting of the chain",
  getNodeConfig: "settings of the node",
  getNodeInfo: "what the node is",
  getSyncing: "a node that makes its own blocks is never behind",
  getBlock: "a block that is there",
  listBlockTxs: "a block that is there",
  getValidators: "of a block that is there",
  getTx: "a transaction that is in a block",
  "searchTxs tx.height=3": "of a block that is there",
};

const DOCUMENTS = [
  ...["listDocuments", "getDocument", "getDocumentByKey", "getDocumentByService", "getDocumentByNetwork"],
  ...["getDocumentByMethod", "getDocumentByAlias", "resolveDid", "resolveDid %23account"],
  // A version that has been says which one came next.
  "resolveDid ?versionId=1",
];
const BALANCES = ["listBalances", "listSpendableBalances", "getBalance", "getSpendableBalance"];
const ACCOUNTS = ["listAccounts", "getAccount", "getAccountInfo", "listModuleAccounts", "getModuleAccount"];

type Block = {
  readonly touches: readonly string[];
  readonly txs?: readonly Bytes[];
  execute?(branch: Branch): unknown;
};

const BLOCKS: Readonly<Record<string, Block>> = {
  "nothing at all": { touches: [] },
  documents: { touches: DOCUMENTS, execute: touchDocuments },
  "descriptions of tokens": {
    touches: ["listTokens", "getToken", "getTokenByQuery", "/assetlist.json"],
    execute: (branch) => alter(branch, tokens.prefix, describeAnew),
  },
  "a new token": {
    // The token stands behind the page of two that is asked for, and is no other token.
    touches: ["/assetlist.json", "/chain.json"],
    execute: (branch) => putMetadata(branch, create(MetadataSchema, { base: "uzz", display: "uzz", symbol: "ZZ" })),
  },
  supply: { touches: ["listSupply", "getSupply"], execute: (branch) => alter(branch, supply.prefix, moreOf) },
  balances: { touches: [...BALANCES, "listHolders", "listHoldersByQuery"], execute: touchBalances },
  accounts: { touches: ACCOUNTS, execute: (branch) => alter(branch, accounts.prefix, nextSequence) },
  "the owner of an account number": {
    touches: ["getAddressOfNumber"],
    execute: (branch) => branch.set(accountNumberKey(0n), parseAddress(DEV_ADDRESSES[3] as string, "cosmos")),
  },
  "the rules of auth": {
    touches: ["getAuthParams"],
    execute: async (branch) => {
      putAuthParams(branch, { ...(await getAuthParams(branch)), maxMemoCharacters: 99n });
    },
  },
  "the rules of the bank": {
    touches: ["getBankParams"],
    execute: async (branch) => {
      const params = await getBankParams(branch);
      putBankParams(branch, { ...params, defaultSendEnabled: !params.defaultSendEnabled });
    },
  },
  "which tokens may be sent": {
    touches: ["listSendEnabled"],
    execute: (branch) => putSendEnabled(branch, "uzz", false),
  },
  "a transaction": { touches: ["searchTxs tx.height>0"], txs: [utf8Encode("no transaction either")] },
};

const executeBlock = createExecuteBlock({ bech32Prefix: "cosmos", maxGas: -1n, verify: verifySecp256k1 });
const opened = openStore("memory");
let door: Door;
let solo: SoloFixture;
let reads: Read[];
let executing: Block = { touches: [] };

beforeAll(async () => {
  await loadDevChain(opened.store);
  door = directDoor(opened.store, { ...NODE, chainId: "orrery-1" });
  reads = [...(await readsOf(door)), { id: "searchTxs", path: "/cosmos/tx/v1beta1/txs?query=tx.height%3E0" }];
  solo = await openSolo(opened.store, {
    execute: async (branch, header, txs) => {
      await executing.execute?.(branch);
      return await executeBlock(branch, header, txs);
    },
  });
});

afterAll(async () => {
  await solo.stop();
  await opened.dispose();
});

/** Where one id has several reads that differ in what touches them, with what tells them apart. */
function nameOf({ id, path }: Read): string {
  if (id === "searchTxs") return `${id} ${decodeURIComponent(path.split("query=")[1] as string)}`;
  const rest = id === "resolveDid" ? path.replace(/^.*?cosmos1[0-9a-z]+/, "") : "";
  return rest === "" ? id : `${id} ${rest}`;
}

async function tags(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { path } of reads) {
    const { status, headers } = await door.ask(path, { headers: { "accept-encoding": "identity" } });
    expect([path, status]).toEqual([path, 200]);
    found.set(path, headers.get("etag") as string);
  }
  return found;
}

test("every read of the tables is asked, and it is said of each what touches it", () => {
  const ids = new Set(reads.map(({ id }) => id));
  const wanted = [...OPERATIONS, ...NEIGHBOURS].filter(({ method }) => method === "GET").map(({ id }) => id);
  expect([...ids].sort()).toEqual([...wanted, "resolveDid", ...OWN].sort());
  const said = [OF_EVERY_BLOCK, OF_NO_BLOCK].flatMap((table) => Object.keys(table));
  const touched = Object.values(BLOCKS).flatMap(({ touches }) => touches);
  expect([...new Set([...said, ...touched])].sort()).toEqual([...new Set(reads.map(nameOf))].sort());
});

test.each(Object.keys(BLOCKS))("a block that changes %s", async (what) => {
  const before = await tags();
  executing = BLOCKS[what] as Block;
  await solo.produceBlock(executing.txs ?? []);
  const expected = new Set([...executing.touches, ...Object.keys(OF_EVERY_BLOCK)]);
  for (const read of reads) {
    const name = nameOf(read);
    const tag = before.get(read.path) as string;
    const headers = { "accept-encoding": "identity", "if-none-match": tag };
    const answer = await door.ask(read.path, { headers });
    expect([read.path, answer.status]).toEqual([read.path, expected.has(name) ? 200 : 304]);
    if (answer.status === 200) expect(answer.headers.get("etag")).not.toBe(tag);
    else expect([answer.headers.get("etag"), await answer.text()]).toEqual([tag, ""]);
  }
  expect(solo.failures).toEqual([]);
  expect(door.faults).toEqual([]);
});

async function alter(branch: Branch, prefix: Bytes, change: (value: Bytes) => Bytes): Promise<void> {
  const entries = await branch.range({ start: prefix, end: prefixEnd(prefix), limit: 1000 });
  expect(entries.length).toBeGreaterThan(0);
  for (const [key, value] of entries) branch.set(key, change(value));
}

/** As an update does: another document, and a version more. */
async function touchDocuments(branch: Branch): Promise<void> {
  const { prefix } = documents;
  for (const [key, value] of await branch.range({ start: prefix, end: prefixEnd(prefix), limit: 1000 })) {
    const document = decodeDocument(value);
    document.context.push("https://touched.example/");
    for (const method of document.verificationMethod?.data ?? []) method.controller = "did:orr:touched";
    branch.set(key, encodeDocument(document));
    const meta = await getMeta(branch, document.iD);
    if (meta === null) continue;
    const version = meta.version + 1n;
    putMeta(branch, document.iD, { ...meta, version });
    putVersion(branch, document.iD, version, create(DidVersionSchema, { document }));
  }
}

async function touchBalances(branch: Branch): Promise<void> {
  for (const address of DEV_ADDRESSES) {
    await alter(branch, balancesOf(parseAddress(address, "cosmos")).prefix, moreOf);
  }
}

/** One digit more. */
function moreOf(value: Bytes): Bytes {
  return utf8Encode(`${new TextDecoder().decode(value)}0`);
}

function nextSequence(value: Bytes): Bytes {
  const account = decodeAccount(value);
  baseOf(account).sequence += 1n;
  return encodeAccount(account);
}

function describeAnew(value: Bytes): Bytes {
  const metadata = fromBinary(MetadataSchema, value);
  return toBinary(MetadataSchema, { ...metadata, description: `${metadata.description}!` }) as Bytes;
}
