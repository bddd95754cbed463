// The interface document, parts 2 and 4, held against real answers: every field with its type, none besides, and every
// one of them seen filled at least once.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { DEV_ADDRESSES, DEV_HEIGHT, loadDevChain } from "../harness/dev-chain.ts";
import { type Door, directDoor, type JsonObject, openDoor } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { richBlock } from "../harness/rich-block.ts";
import { addressText, BARE_DID, RICH_DID, sampleChanges } from "../harness/sample-state.ts";
import { commitBlock } from "../harness/test-chain.ts";
import * as document from "./interface-document.ts";
import { bytes, enumeration, type Look, list, object, type Shape, typed } from "./interface-shapes.ts";

const DID = "/vendor/project/identity/did";
const LOOK_UP = "/vendor/project/identity/key";
const key = encodeURIComponent(`${RICH_DID}#key`);
const valcons = enumeration(/^cosmosvalcons1[a-z0-9]{38}$/);
const { pagination, coin, token, listedDocument, foundDocument, blockId, nodeInfo, transaction } = document;
const block = document.block(bytes);
const blockAnswer = object({ block_id: blockId, block, sdk_block: document.block(valcons) });
const found = object({ didDocument: foundDocument });

/** Part 4: for each operation, its number, requests, and the shape of its answer. */
const OPERATIONS: readonly { readonly number: number; readonly paths: readonly string[]; readonly shape: Shape }[] = [
  {
    number: 1,
    paths: [DID, `${DID}?pagination.limit=1`],
    shape: object({ didDocument: list(listedDocument), pagination }),
  },
  {
    number: 2,
    paths: [`${DID}?did=${RICH_DID}`, `${DID}?did=${BARE_DID}&pagination.limit=x`],
    shape: object({ didDocument: listedDocument }),
  },
  { number: 3, paths: [`${LOOK_UP}?key_id=${key}`, `${LOOK_UP}?key_id=${BARE_DID}`], shape: found },
  { number: 4, paths: [`${LOOK_UP}?service_id=${encodeURIComponent(`${RICH_DID}#vault`)}`], shape: found },
  { number: 5, paths: [`${LOOK_UP}?network_id=devnet`, `${LOOK_UP}?network_id=cosmos:reference-1`], shape: found },
  { number: 6, paths: [`${LOOK_UP}?method_id=orr`, `${LOOK_UP}?method_id=${key}`], shape: found },
  { number: 7, paths: [`${LOOK_UP}?aka_id=rich.orr`, `${LOOK_UP}?aka_id=bare.orr&key_id=`], shape: found },
  {
    number: 8,
    paths: ["/core/bank/v1beta1/denoms_metadata", "/core/bank/v1beta1/denoms_metadata?pagination.limit=1"],
    shape: object({ metadatas: list(token), pagination }),
  },
  {
    number: 9,
    paths: ["uorr", "ibc%2F27394FB092D2", "ibc/27394FB092D2"].map(
      (d) => `/core/bank/v1beta1/denoms_metadata?denom=${d}`,
    ),
    shape: object({ metadata: token }),
  },
  { number: 10, paths: ["/core/bank/v1beta1/supply"], shape: object({ supply: list(coin), pagination }) },
  ...([11, 12] as const).map((number) => ({
    number,
    paths: (["base", "continuous", "locked"] as const).map(
      (person) =>
        `/core/bank/v1beta1/${number === 11 ? "balances" : "spendable_balances"}?address=${addressText(person)}`,
    ),
    shape: object({ balances: list(coin), pagination }),
  })),
  {
    number: 13,
    paths: ["/core/auth/v1beta1/accounts?pagination.limit=5"],
    shape: object({ accounts: list(typed), pagination }),
  },
  {
    number: 14,
    paths: ["1", "2", "02"].map((height) => `/core/base/consensus/v1beta1/blocks?height=${height}`),
    shape: blockAnswer,
  },
  { number: 15, paths: ["/core/base/consensus/v1beta1/blocks/latest"], shape: blockAnswer },
  { number: 16, paths: ["/core/base/consensus/v1beta1/node_info"], shape: nodeInfo },
  {
    number: 17,
    paths: ["1", "2", "2&pagination.limit=1"].map((height) => `/core/tx/v1beta1/txs/block?height=${height}`),
    shape: object({ txs: list(transaction), block_id: blockId, block, pagination }),
  },
];

const opened = openStore("sqlite");
let door: Door;

beforeAll(async () => {
  await commitBlock(opened.store, { changes: await sampleChanges() });
  await commitBlock(opened.store, richBlock());
  door = openDoor(opened.store);
});

afterAll(async () => {
  await door.close();
  await opened.dispose();
});

const looks = new Map<number, Look>();

for (const { number, paths, shape } of OPERATIONS) {
  test(`operation ${number} answers as the document says`, async () => {
    const look: Look = { seen: new Set(), wrong: [] };
    looks.set(number, look);
    for (const path of paths) {
      const reply = await door.get(path);
      if (reply.status !== 200) look.wrong.push(`${path}: ${reply.status} ${reply.text}`);
      else shape(reply.body, "", look);
    }
    expect(look.wrong).toEqual([]);
  });
}

/** Places that a shape has only when an answer is filled; without them a check of the fields inside proves nothing. */
const FILLED: readonly (readonly [number, readonly string[]])[] = [
  [1, [".didDocument[].context[]", ".didDocument[].controller[]", ".didDocument[].also_known_as[]"]],
  [
    1,
    [".didDocument[].verification_method.data[].public_key_jwk{}", ".pagination.next_key", ".pagination.next_key=null"],
  ],
  [
    1,
    ["authentication", "assertion_method", "capability_invocation", "capability_delegation", "key_agreement"].flatMap(
      (r) => [
        `.didDocument[].${r}.data[].verification_method.iD`,
        `.didDocument[].${r}.data[].verification_method=null`,
      ],
    ),
  ],
  [1, [".didDocument[].service.data[].service_endpoints{}"]],
  ...[3, 4, 5, 6, 7].map((number): [number, string[]] => [
    number,
    [
      ".didDocument.verification_method.data[].webauthn_credential.authenticator.sign_count",
      ".didDocument.verification_method.data[].webauthn_credential=null",
      ".didDocument.verification_method.data[].blockchain_account_id",
      ".didDocument.authentication.data[].verification_method.blockchain_account_id",
      ".didDocument.service.data[].type",
    ],
  ]),
  [8, [".metadatas[].denom_units[].aliases[]"]],
  [10, [".supply[].amount"]],
  [11, [".balances[].amount"]],
  [12, [".balances[].amount"]],
  [13, [".accounts[].@type", ".pagination.next_key"]],
  ...[14, 15, 17].map((number): [number, string[]] => [
    number,
    [
      ".block.data.txs[]",
      ".block.last_commit.signatures[].timestamp",
      ".block.evidence.evidence[].duplicate_vote_evidence.vote_b.validator_index",
      ".block.evidence.evidence[].light_client_attack_evidence.conflicting_block.signed_header.commit.signatures[].signature",
      ".block.evidence.evidence[].light_client_attack_evidence.conflicting_block.validator_set.proposer.pub_key.secp256k1",
      ".block.evidence.evidence[].light_client_attack_evidence.byzantine_validators[].pub_key.ed25519",
      ".block.evidence.evidence[].light_client_attack_evidence.byzantine_validators[].proposer_priority",
    ],
  ]),
  [14, [".sdk_block.header.proposer_address", ".sdk_block.evidence.evidence[].duplicate_vote_evidence.vote_a.type"]],
  [16, [".application_version.build_deps[].path"]],
  [
    17,
    [
      ".txs[].body.messages[].@type",
      ".txs[].body.extension_options[].@type",
      ".txs[].body.non_critical_extension_options[].@type",
      ".txs[].auth_info.signer_infos[].public_key.@type",
      ".txs[].auth_info.signer_infos[].public_key=null",
      ".txs[].auth_info.signer_infos[].mode_info.single.mode",
      ".txs[].auth_info.signer_infos[].mode_info.multi.mode_infos[].single.mode",
      ".txs[].auth_info.signer_infos[].mode_info.multi.bitarray.elems",
      ".txs[].auth_info.fee.amount[].amount",
      ".txs[].auth_info.tip.amount[].denom",
      ".txs[].auth_info.tip=null",
      ".txs[].signatures[]",
      ".pagination.next_key",
    ],
  ],
];

test("every structure of the document was seen in an answer", () => {
  const unseen = FILLED.flatMap(([number, places]) =>
    places.filter((place) => !looks.get(number)!.seen.has(place)).map((place) => `${number}: ${place}`),
  );
  expect(unseen).toEqual([]);
});

test("the development chain's answers have the same shapes", async () => {
  const dev = openStore("memory");
  await loadDevChain(dev.store);
  const devDoor = directDoor(dev.store);
  const look: Look = { seen: new Set(), wrong: [] };
  const check = async (path: string, shape: Shape) => {
    const { status, text, body } = await devDoor.get(path);
    if (status !== 200) look.wrong.push(`${path}: ${status} ${text}`);
    else shape(body, path, look);
    return body as JsonObject;
  };
  const shapeOf = (number: number) => OPERATIONS.find((operation) => operation.number === number)!.shape;
  const { didDocument } = await check(DID, shapeOf(1));
  const documents = didDocument as { iD: string; also_known_as: string[] }[];
  expect(documents.length).toBeGreaterThanOrEqual(6);
  for (const { iD, also_known_as } of documents) {
    await check(`${DID}?did=${encodeURIComponent(iD)}`, shapeOf(2));
    await check(`${LOOK_UP}?key_id=${encodeURIComponent(iD)}`, shapeOf(3));
    for (const alias of also_known_as) await check(`${LOOK_UP}?aka_id=${encodeURIComponent(alias)}`, shapeOf(7));
  }
  for (const number of [8, 10]) await check(OPERATIONS[number - 1]!.paths[0]!, shapeOf(number));
  await check("/core/auth/v1beta1/accounts", shapeOf(13));
  for (const address of DEV_ADDRESSES) {
    await check(`/core/bank/v1beta1/balances?address=${address}`, shapeOf(11));
    await check(`/core/bank/v1beta1/spendable_balances?address=${address}`, shapeOf(12));
  }
  const anyTx: Shape = (value, place, at) => {
    const { raw } = value as JsonObject;
    (raw === undefined ? transaction : document.undecodable)(value, place, at);
  };
  const blockTxs = object({ txs: list(anyTx), block_id: blockId, block, pagination });
  for (let height = 1; height <= DEV_HEIGHT; height++) {
    await check(`/core/base/consensus/v1beta1/blocks?height=${height}`, shapeOf(14));
    await check(`/core/tx/v1beta1/txs/block?height=${height}`, blockTxs);
  }
  await dev.dispose();
  expect(look.wrong).toEqual([]);
});

test("enumeration values of the document appear under their names", async () => {
  const { text } = await door.get("/core/tx/v1beta1/txs/block?height=2");
  for (const name of ["BLOCK_ID_FLAG_UNKNOWN", "SIGNED_MSG_TYPE_UNKNOWN", "SIGN_MODE_UNSPECIFIED"]) {
    expect(text).toContain(`"${name}"`);
  }
  const listed = await door.get(`${DID}?did=${RICH_DID}`);
  expect(listed.text).toContain('"KeyType_UNSPECIFIED"');
  expect(listed.text).toContain('"LinkedDomains"');
  expect(listed.text).not.toContain("ServiceType_");
  const lookedUp = await door.get(`${LOOK_UP}?key_id=${key}`);
  expect(lookedUp.text).toContain('"ServiceType_LINKED_DOMAINS"');
  expect(lookedUp.text).toContain('"ServiceType_UNSPECIFIED"');
});

test("both variants of a document say the same, but for what the document parts them by", async () => {
  const listed = ((await door.get(`${DID}?did=${RICH_DID}`)).body as JsonObject).didDocument as JsonObject;
  const lookedUp = ((await door.get(`${LOOK_UP}?aka_id=rich.orr`)).body as JsonObject).didDocument as JsonObject;
  const bare = JSON.parse(JSON.stringify(lookedUp), (name, value) =>
    name === "blockchain_account_id" || name === "webauthn_credential" ? undefined : value,
  );
  expect({ ...bare, service: null }).toEqual({ ...listed, service: null });
});

test("every answer carries its height, the chain and the kept range", async () => {
  const { headers } = await door.get("/core/bank/v1beta1/supply", { "x-cosmos-block-height": "1" });
  const names = ["x-cosmos-block-height", "x-core-block-height", "x-chain-id", "x-earliest-height", "x-latest-height"];
  expect(names.map((name) => headers.get(name))).toEqual(["1", "1", "reference-1", "1", "2"]);
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("access-control-allow-origin")).toBe("*");
});
