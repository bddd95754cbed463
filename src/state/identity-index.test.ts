// The look-up index against a plain model: random creates, updates and removals over many heights, on both engines.

import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import type { Bytes } from "../codec/bytes.ts";
import type { LookUpKind } from "../codec/look-up.ts";
import { DidDocumentSchema } from "../gen/orrery/identity/v1/did_pb.ts";
import { createBranch } from "../store/branch.ts";
import { prefixEnd } from "../store/key-range.ts";
import { openMemoryStore } from "../store/memory.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import type { Change, Reader, Store } from "../store/store.ts";
import {
  decodeDocument,
  documentKey,
  encodeDocument,
  getIdentityParams,
  putDocument,
  putIdentityParams,
} from "./identity.ts";
import { deriveClaims, findDocument } from "./identity-index.ts";
import { SPACE, spaceKey } from "./keys.ts";

const KINDS: readonly LookUpKind[] = ["key", "service", "network", "method", "alias"];

const DIDS = ["did:orr:a", "did:orr:b", "did:orr:testnet:c", "did:orr:d-1", "did:other:e"];
// Ids of documents themselves (so also of others), of pure key methods, and relative ones.
const METHOD_IDS = [...DIDS.map((did) => `${did}#k`), "did:key:z6Mk#z6Mk", "did:webauth:abc", "#r"];
const SERVICE_IDS = [...DIDS.slice(0, 3).map((did) => `${did}#s`), "https://example.com/s", "#r"];
const ALIASES = ["alice.orr", "https://example.com/", "urn:x:1"];
const ACCOUNTS = ["", "cosmos:orrery-1:cosmos1abc", "eip155:1:0xab", "cosmos1bare"];
const MULTIBASES = ["", "z6MkA", "z6MkB"];

type Method = { id: string; embedded: boolean; account: string; multibase: string };
type Pieces = { methods: Method[]; services: string[]; aliases: string[] };
type Op = { did: string; pieces: Pieces | null };

const pieces: fc.Arbitrary<Pieces> = fc.record({
  methods: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom(...METHOD_IDS),
      embedded: fc.boolean(),
      account: fc.constantFrom(...ACCOUNTS),
      multibase: fc.constantFrom(...MULTIBASES),
    }),
    { maxLength: 3, selector: ({ id }) => id },
  ),
  services: fc.uniqueArray(fc.constantFrom(...SERVICE_IDS), { maxLength: 2 }),
  aliases: fc.uniqueArray(fc.constantFrom(...ALIASES), { maxLength: 2 }),
});
const op: fc.Arbitrary<Op> = fc.record({
  did: fc.constantFrom(...DIDS),
  pieces: fc.option(pieces, { freq: 4 }),
});
const blocks = fc.array(fc.array(op, { maxLength: 4 }), { minLength: 1, maxLength: 12 });

/** What the documents claim, said a second time in other words, with the place of each claim. */
class Model {
  readonly claims = new Map<string, Map<string, readonly [height: number, position: number]>>();

  apply({ did, pieces }: Op, height: number, position: number): void {
    const before = this.claims.get(did);
    this.claims.delete(did);
    if (pieces === null) return;
    const own = (value: string) => value === did || value.startsWith(`${did}#`);
    const after = new Map<string, readonly [number, number]>();
    for (const claim of valuesOf(did, pieces)) {
      const value = claim.slice(claim.indexOf(" ") + 1);
      after.set(claim, before?.get(claim) ?? (own(value) ? [0, 0] : [height, position]));
    }
    this.claims.set(did, after);
  }

  answer(kind: LookUpKind, value: string): string | null {
    if ((kind === "key" || kind === "service") && this.claims.has(value)) return value;
    const claimants = [...this.claims].flatMap(([did, claims]) => {
      const place = claims.get(`${kind} ${value}`);
      return place === undefined ? [] : [{ did, place }];
    });
    claimants.sort((a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1] || (a.did < b.did ? -1 : 1));
    return claimants[0]?.did ?? null;
  }

  entries(): string[] {
    return [...this.claims]
      .flatMap(([did, claims]) => [...claims].map(([claim, place]) => `${claim} ${place.join(" ")} ${did}`))
      .sort();
  }
}

function valuesOf(did: string, { methods, services, aliases }: Pieces): Set<string> {
  const absolute = (id: string) => (id.startsWith("#") ? did + id : id);
  const values = new Set([did.includes("testnet") ? "network testnet" : "network devnet"]);
  values.add(`method ${did.split(":")[1]}`);
  for (const { id, embedded, account, multibase } of methods) {
    values.add(`key ${absolute(id)}`);
    if (!embedded) values.add(`method ${absolute(id)}`);
    if (multibase !== "") values.add(`key ${multibase}`);
    if (account !== "") values.add(`key ${account}`);
    const parts = account.split(":");
    if (parts.length === 3) values.add(`key ${parts[2]}`).add(`network ${parts[0]}:${parts[1]}`);
  }
  for (const id of services) values.add(`service ${absolute(id)}`);
  for (const alias of aliases) values.add(`alias ${alias}`);
  return values;
}

function documentOf(did: string, { methods, services, aliases }: Pieces): Bytes {
  const method = ({ id, account, multibase }: Method) => ({
    iD: id,
    blockchainAccountId: account,
    publicKeyMultibase: multibase,
  });
  const embedded = methods.filter((each) => each.embedded).map((each) => ({ verificationMethod: method(each) }));
  return encodeDocument(
    create(DidDocumentSchema, {
      iD: did,
      verificationMethod: { data: methods.filter((each) => !each.embedded).map(method) },
      // A reference defines no key, so it must not be found.
      authentication: { data: [{ reference: `${did}#not-a-key` }, ...embedded.slice(0, 1)] },
      keyAgreement: { data: embedded.slice(1) },
      service: { data: services.map((iD) => ({ iD })) },
      alsoKnownAs: aliases,
    }),
  );
}

/** Every value that any document of the test could claim, and some that none can. */
const ASKED: [LookUpKind, string][] = KINDS.flatMap((kind) => {
  const absolute = DIDS.map((did) => `${did}#r`);
  const values = [...DIDS, ...METHOD_IDS, ...SERVICE_IDS, ...ALIASES, ...ACCOUNTS, ...MULTIBASES, ...absolute];
  const more = ["devnet", "testnet", "orr", "other", "cosmos:orrery-1", "eip155:1", "cosmos1abc", "0xab", "nobody"];
  return [...values, ...more, "did:orr:a#not-a-key"].map((value): [LookUpKind, string] => [kind, value]);
});

async function found(reader: Reader, kind: LookUpKind, value: string): Promise<string | null> {
  const bytes = await findDocument(reader, kind, value);
  return bytes === null ? null : decodeDocument(bytes).iD;
}

/** All entries of the index, read back from their keys. */
async function entriesOf(reader: Reader): Promise<string[]> {
  const entries: string[] = [];
  for (const [i, kind] of KINDS.entries()) {
    const prefix = spaceKey(SPACE.index, Uint8Array.of(i + 1));
    for (const [key, value] of await reader.range({ start: prefix, end: prefixEnd(prefix), limit: 10_000 })) {
      const view = new DataView(key.buffer, key.byteOffset);
      const did = new TextDecoder().decode(key.subarray(46));
      entries.push(`${kind} ${new TextDecoder().decode(value)} ${view.getBigUint64(34)} ${view.getUint32(42)} ${did}`);
    }
  }
  return entries.sort();
}

const emptyReader: Reader = {
  get: async () => null,
  getMany: async (keys) => keys.map(() => null),
  range: async () => [],
};

async function commit(store: Store, height: bigint, changes: readonly Change[]): Promise<void> {
  const before = height === 0n ? emptyReader : store.at(height - 1n);
  await store.commit(height, [...changes, ...(await deriveClaims(before, changes, height))]);
}

async function follow(store: Store, run: readonly Op[][], askedHeights: readonly number[]): Promise<void> {
  const model = new Model();
  const answers: (string | null)[][] = [];
  for (const [height, ops] of run.entries()) {
    const changes = ops.map(({ did, pieces }): Change => [documentKey(did), pieces && documentOf(did, pieces)]);
    for (const [i, each] of ops.entries()) model.apply(each, height, i + 1);
    await commit(store, BigInt(height), changes);
    answers.push(ASKED.map(([kind, value]) => model.answer(kind, value)));
  }
  const head = store.at(BigInt(run.length - 1));
  expect(await entriesOf(head)).toEqual(model.entries());
  head.close();
  for (const asked of [...askedHeights, run.length - 1]) {
    const height = asked % run.length;
    const view = store.at(BigInt(height));
    const given = await Promise.all(ASKED.map(([kind, value]) => found(view, kind, value)));
    expect(given).toEqual(answers[height]!);
    view.close();
  }
}

describe("the index follows the documents", () => {
  test("memory", async () => {
    await fc.assert(
      fc.asyncProperty(blocks, fc.array(fc.nat(), { maxLength: 3 }), async (ops, heights) => {
        const store = openMemoryStore();
        await follow(store, ops, heights);
        await store.close();
      }),
      { numRuns: 150 },
    );
  });

  test("sqlite", async () => {
    const folder = mkdtempSync(join(tmpdir(), "orrery-index-"));
    let file = 0;
    await fc.assert(
      fc.asyncProperty(blocks, fc.array(fc.nat(), { maxLength: 3 }), async (ops, heights) => {
        const store = openSqliteStore({ path: join(folder, `${file++}.db`) });
        await follow(store, ops, heights);
        await store.close();
      }),
      { numRuns: 25 },
    );
    rmSync(folder, { recursive: true });
  });
});

describe("precedence", () => {
  const put = (did: string, part: Partial<Pieces>): Change => [
    documentKey(did),
    documentOf(did, { methods: [], services: [], aliases: [], ...part }),
  ];

  test("the earliest claim answers; dropping and adding again starts anew", async () => {
    const store = openMemoryStore();
    await commit(store, 0n, [put("did:orr:b", { aliases: ["x.orr"] }), put("did:orr:a", { aliases: ["x.orr"] })]);
    expect(await found(store.at(0n), "alias", "x.orr")).toBe("did:orr:b");
    await commit(store, 1n, [put("did:orr:b", { aliases: ["x.orr", "y.orr"] })]);
    expect(await found(store.at(1n), "alias", "x.orr")).toBe("did:orr:b");
    await commit(store, 2n, [put("did:orr:b", { aliases: [] })]);
    expect(await found(store.at(2n), "alias", "x.orr")).toBe("did:orr:a");
    await commit(store, 3n, [put("did:orr:b", { aliases: ["x.orr"] })]);
    expect(await found(store.at(3n), "alias", "x.orr")).toBe("did:orr:a");
    await commit(store, 4n, [[documentKey("did:orr:a"), null]]);
    expect(await found(store.at(4n), "alias", "x.orr")).toBe("did:orr:b");
    expect(await found(store.at(3n), "alias", "x.orr")).toBe("did:orr:a");
  });

  test("nobody stands before a document for an id under its own DID", async () => {
    const store = openMemoryStore();
    const method: Method = { id: "did:orr:b#k", embedded: false, account: "", multibase: "" };
    const part = { methods: [method], services: ["did:orr:b#s"] };
    await commit(store, 0n, [put("did:orr:a", part)]);
    expect(await found(store.at(0n), "key", "did:orr:b#k")).toBe("did:orr:a");
    await commit(store, 1n, [put("did:orr:b", part)]);
    for (const [kind, value] of [
      ["key", "did:orr:b#k"],
      ["method", "did:orr:b#k"],
      ["service", "did:orr:b#s"],
    ] as const) {
      expect(await found(store.at(1n), kind, value)).toBe("did:orr:b");
    }
  });

  test("a DID without network segment keeps the network of the time it was written", async () => {
    const store = openMemoryStore();
    const changes = createBranch(emptyReader);
    putIdentityParams(changes, { ...(await getIdentityParams(emptyReader)), didNetwork: "first" });
    putDocument(changes, decodeDocument(put("did:orr:a", {})[1]!));
    await commit(store, 0n, changes.changes());
    const later = createBranch(store.at(0n));
    putIdentityParams(later, { ...(await getIdentityParams(later)), didNetwork: "second" });
    putDocument(later, decodeDocument(put("did:orr:b", {})[1]!));
    await commit(store, 1n, later.changes());
    expect(await found(store.at(1n), "network", "first")).toBe("did:orr:a");
    expect(await found(store.at(1n), "network", "second")).toBe("did:orr:b");
  });
});
