// One contract under two spellings: any request on the primary path and on the ecosystem's own gives the same answer,
// but for the few renderings in which the design parts them.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { IBC_ATOM } from "../../src/chain/dev-tokens.ts";
import type { Store } from "../../src/store/store.ts";
import { DEV_ADDRESSES, DEV_HEIGHT, loadDevChain } from "../harness/dev-chain.ts";
import { type Door, directDoor, type Json, type JsonObject } from "../harness/door.ts";
import { openStore } from "../harness/engines.ts";
import { KEYS } from "../harness/fixtures.ts";
import { loadRecording } from "../harness/recorded-chain.ts";
import { richBlock } from "../harness/rich-block.ts";
import { addressText, PEOPLE, sampleChanges } from "../harness/sample-state.ts";
import { commitBlock } from "../harness/test-chain.ts";

type Chain = {
  readonly name: string;
  load(store: Store): Promise<void>;
  readonly addresses: readonly string[];
  readonly denoms: readonly string[];
  readonly heights: number;
};

const CHAINS: readonly Chain[] = [
  {
    name: "the recorded chain",
    load: loadRecording,
    addresses: Object.values(KEYS.people).map(({ address }) => address),
    denoms: ["uorr", "ucred", "ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2", "many007"],
    heights: 66,
  },
  {
    name: "the development chain",
    load: loadDevChain,
    addresses: DEV_ADDRESSES,
    denoms: ["uorr", IBC_ATOM, "nothing"],
    heights: DEV_HEIGHT,
  },
  {
    name: "a chain with something of everything",
    async load(store) {
      await commitBlock(store, { changes: await sampleChanges() });
      await commitBlock(store, richBlock());
      await commitBlock(store, { changes: [] });
    },
    addresses: PEOPLE.map(addressText),
    denoms: ["uorr", "ucred", "ibc/27394FB092D2", "uplain"],
    heights: 3,
  },
];

type Spelled = { readonly primary: string; readonly ecosystem: string };

for (const chain of CHAINS) {
  describe(chain.name, () => {
    const opened = openStore("sqlite");
    let door: Door;
    beforeAll(async () => {
      await chain.load(opened.store);
      door = directDoor(opened.store);
    });
    afterAll(() => opened.dispose());

    test("answers the same under both spellings", async () => {
      const statuses = new Set<number>();
      await fc.assert(
        fc.asyncProperty(requestsOn(chain), headersOn(chain), async ({ primary, ecosystem }, headers) => {
          const ours = await door.get(primary, headers);
          const theirs = await door.get(ecosystem, headers);
          expect(theirs.status).toBe(ours.status);
          expect(asPrimary(theirs.body)).toEqual(ours.body);
          for (const name of ["x-cosmos-block-height", "x-core-block-height", "x-latest-height", "cache-control"]) {
            expect(theirs.headers.get(name)).toBe(ours.headers.get(name));
          }
          statuses.add(ours.status);
        }),
        { numRuns: 600 },
      );
      // The requests are a mix: a test of refusals alone, or of answers alone, would say little.
      expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 404]));
      expect(door.faults).toEqual([]);
    }, 30_000);

    test("every block and its transactions", async () => {
      for (let height = 1; height <= chain.heights; height++) {
        for (const { primary, ecosystem } of [block(String(height)), blockTxs(String(height), "")]) {
          const ours = await door.get(primary);
          expect(ours.status).toBe(200);
          expect(asPrimary((await door.get(ecosystem)).body)).toEqual(ours.body);
        }
      }
    });
  });
}

function requestsOn({ addresses, denoms, heights }: Chain): fc.Arbitrary<Spelled> {
  const address = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...addresses) },
    fc.constantFrom(...addresses).map((text) => text.toUpperCase()),
    fc.constantFrom(
      "cosmos1",
      "nobody",
      "cosmos1rt64rlutwku7awcl03mn9xa9ydewj2ar76lh76",
      "osmo1clpqr4nrk4khgkxj78fcwwh6dl3uw4ep88n0y4",
    ),
  );
  const denom = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...denoms) },
    fc.constantFrom("nothing", "a", "9x", "U/x"),
  );
  const height = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: heights }).map(String) },
    fc.constantFrom("0", "01", "-1", "abc", "999999", "9223372036854775808"),
  );
  return fc.oneof(
    pageOf(denoms).map((page) => both("/bank/v1beta1/denoms_metadata", page)),
    pageOf(denoms).map((page) => both("/bank/v1beta1/supply", page)),
    pageOf(denoms).map((page) => both("/auth/v1beta1/accounts", page)),
    denom.map((text) => parameter("/bank/v1beta1/denoms_metadata", "denom", text, "")),
    fc.tuple(address, pageOf(denoms)).map(([text, page]) => parameter("/bank/v1beta1/balances", "address", text, page)),
    fc
      .tuple(address, pageOf(denoms))
      .map(([text, page]) => parameter("/bank/v1beta1/spendable_balances", "address", text, page)),
    height.map(block),
    fc.tuple(height, pageOf(denoms)).map(([text, page]) => blockTxs(text, page)),
    fc.constantFrom(
      {
        primary: "/core/base/consensus/v1beta1/blocks/latest",
        ecosystem: "/cosmos/base/tendermint/v1beta1/blocks/latest",
      },
      { primary: "/core/base/consensus/v1beta1/node_info", ecosystem: "/cosmos/base/tendermint/v1beta1/node_info" },
    ),
  );
}

function pageOf(denoms: readonly string[]): fc.Arbitrary<string> {
  const number = fc.oneof(fc.nat(200).map(String), fc.constantFrom("", "0", "x", "18446744073709551615"));
  const flag = fc.constantFrom("true", "false", "1", "", "maybe");
  const key = fc.constantFrom(
    ...denoms.map((denom) => encodeURIComponent(btoa(denom))),
    "",
    "!!",
    "AQ%3D%3D",
    "AAAAAA==",
  );
  const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2, nil: undefined });
  return fc
    .record({
      limit: seldom(number),
      offset: seldom(number),
      count_total: seldom(flag),
      reverse: seldom(flag),
      key: seldom(key),
    })
    .map((page) => {
      const given = Object.entries(page).filter(
        ([name, value]) => value !== undefined && (name !== "key" || page.offset === undefined),
      );
      return given.map(([name, value]) => `pagination.${name}=${value}`).join("&");
    });
}

function headersOn({ heights }: Chain): fc.Arbitrary<Record<string, string>> {
  const height = fc.oneof(
    fc.integer({ min: 1, max: heights }).map(String),
    fc.constantFrom(String(heights), "0", "x", "99999"),
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    height.map((text) => ({ "x-cosmos-block-height": text })),
  );
}

function both(path: string, query: string): Spelled {
  return { primary: `/core${path}?${query}`, ecosystem: `/cosmos${path}?${query}` };
}

function parameter(path: string, name: string, value: string, query: string): Spelled {
  return {
    primary: `/core${path}?${name}=${encodeURIComponent(value)}&${query}`,
    ecosystem: `/cosmos${path}/${encodeURIComponent(value)}?${query}`,
  };
}

function block(height: string): Spelled {
  return {
    primary: `/core/base/consensus/v1beta1/blocks?height=${height}`,
    ecosystem: `/cosmos/base/tendermint/v1beta1/blocks/${height}`,
  };
}

function blockTxs(height: string, query: string): Spelled {
  return parameter("/tx/v1beta1/txs/block", "height", height, query);
}

/** Nulls that are nulls under both spellings; any other null is the ecosystem's word for no bytes. */
const NULLABLE = new Set(["next_key", "tip", "public_key", "pub_key"]);
const TIMES = new Set(["time", "timestamp"]);

function asPrimary(value: Json, name = ""): Json {
  if (value === null) return NULLABLE.has(name) ? null : "";
  if (Array.isArray(value)) return value.map((item) => asPrimary(item, name));
  if (typeof value === "string") return TIMES.has(name) ? withMillis(value) : value;
  if (typeof value !== "object") return value;
  const members = Object.entries(value).map(([key, member]): [string, Json] => [
    key === "cosmos_sdk_version" ? "core_sdk_version" : key,
    asPrimary(member, key),
  ]);
  return Object.fromEntries(members) as JsonObject;
}

/** 0, 3, 6 or 9 digits to three, cut. */
function withMillis(time: string): string {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{3}|\d{6}|\d{9}))?Z$/.exec(time);
  expect(match).not.toBeNull();
  return `${match![1]}.${(match![2] ?? "000").slice(0, 3)}Z`;
}
