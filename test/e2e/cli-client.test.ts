// `orrery tx` and `orrery query` as a person uses them, against a real node.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OPERATIONS } from "../../src/api/operations.ts";
import { samplePeople } from "../../src/node.ts";
import { cleanUp, orrery, temporaryFolder } from "./orrery.ts";

const people = new Map(samplePeople("cosmos").map((person) => [person.name, person]));
const address = (name: string) => people.get(name)!.address;
const folder = temporaryFolder();
let url: string;
let rpc: string;

beforeAll(async () => {
  // A long block time: blocks come because transactions wait.
  const node = orrery(["dev", "--home", temporaryFolder(), "--api", "127.0.0.1:0", "--block-time", "10m"]);
  url = (await node.waitFor(/HTTP door\s+(http:\/\/\S+:\d+)/, 20_000))[1]!;
  rpc = (await node.waitFor(/RPC door\s+(http:\/\/\S+:\d+)/, 20_000))[1]!;
}, 30_000);
afterAll(cleanUp);

type Done = { readonly code: number | string; readonly text: string };

async function call(...words: string[]): Promise<Done> {
  const run = orrery(words, { ORRERY_NODE: url });
  const code = await run.exit(30_000);
  return { code, text: run.text() };
}

/** The JSON that a command prints; fails when the command does. */
async function answer<T>(...words: string[]): Promise<T> {
  const { code, text } = await call(...words, "--json");
  expect(`${code} ${code === 0 ? "" : text}`).toBe("0 ");
  return JSON.parse(text) as T;
}

async function uorrOf(name: string): Promise<bigint> {
  const { balances } = await answer<{ balances: { denom: string; amount: string }[] }>(
    ...["query", "list-balances", "--address", address(name)],
  );
  return BigInt(balances.find(({ denom }) => denom === "uorr")?.amount ?? 0);
}

type Document = { iD: string; also_known_as: string[]; verification_method: { data: unknown[] } };

describe("tx", () => {
  test("send moves coins, pays the fee, and prints a table", async () => {
    const before = { alice: await uorrOf("alice"), bob: await uorrOf("bob") };
    const words = ["--from", "alice", "--to", "bob", "--amount", "7uorr", "--fees", "500uorr", "--memo", "hello"];
    const { code, text } = await call("tx", "send", ...words);
    expect(code).toBe(0);
    expect(text).toMatch(/^hash +[0-9A-F]{64}\nheight +\d+\ngas +\d+ used of \d+\n\nevent +attribute +value\n/);
    expect(text).toContain(`recipient  ${address("bob")}`);
    expect([await uorrOf("alice"), await uorrOf("bob")]).toEqual([before.alice - 507n, before.bob + 7n]);
  }, 60_000);

  test("multi-send gives the same to each; the answer as JSON", async () => {
    const before = await uorrOf("erin");
    const words = ["--from", "bob", "--to", `erin,${address("frank")}`, "--amount", "3uorr"];
    const sent = await answer<{ code: number; gas_used: string; gas_wanted: string }>("tx", "multi-send", ...words);
    expect(sent.code).toBe(0);
    // The limit is 1.3 times what the simulation used, whose missing signature costs a little more.
    expect(Number(sent.gas_wanted) / Number(sent.gas_used)).toBeWithin(1.29, 1.4);
    expect(await uorrOf("erin")).toBe(before + 3n);
  }, 60_000);

  test("a key from a file, which nobody sees on the command line", async () => {
    const file = join(folder, "mnemonic");
    writeFileSync(file, "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong\n", { mode: 0o600 });
    const words = ["tx", "send", "--mnemonic-file", file, "--amount", "1uorr"];
    const { code, text } = await call(...words, "--to", address("bob"));
    expect(code).toBe(1);
    const [, own] = /account (cosmos1\w+) not found/.exec(text) ?? [];
    expect(own).toBeDefined();
    expect((await call("tx", "send", "--from", "alice", "--to", own!, "--amount", "10uorr")).code).toBe(0);
    expect((await call(...words, "--to", address("bob"))).code).toBe(0);
    expect((await call(...words, "--to", "bob")).text).toContain("bob stands for a sample account only with --from");
  }, 60_000);

  test("a document is made, read, changed, and deactivated for good", async () => {
    const did = `did:orr:${address("ivan")}`;
    expect((await call("tx", "did-create", "--from", "ivan", "--sample")).text).toContain("did_created");
    expect((await call("tx", "did-create", "--from", "ivan", "--sample")).code).toBe(1);

    const found = await answer<{ didDocument: Document }>("query", "get-document", "--did", did);
    expect(found.didDocument.verification_method.data).toHaveLength(1);
    found.didDocument.also_known_as.push("ivan.orr");
    const file = join(folder, "document.json");
    writeFileSync(file, JSON.stringify(found));
    const update = ["tx", "did-update", "--from", "ivan", "--document", file];
    const late = await call(...update, "--expected-version", "7");
    expect([late.code, late.text]).toEqual([1, expect.stringContaining("version")]);
    expect((await call(...update, "--expected-version", "1")).text).toContain("did_updated");
    const named = await answer<{ didDocument: Document }>("query", "get-document-by-alias", "--aka-id", "ivan.orr");
    expect(named.didDocument.iD).toBe(did);

    const end = ["tx", "did-deactivate", "--did", did];
    expect((await call(...end, "--from", "judy")).code).toBe(1);
    expect((await call(...end, "--from", "ivan", "--expected-version", "2")).text).toContain("did_deactivated");
    expect((await call("tx", "did-create", "--from", "ivan", "--sample")).code).toBe(1);
    expect((await call("query", "get-document", "--did", did)).code).toBe(1);
  }, 90_000);

  test("a document from a file that has been listed", async () => {
    const listed = await answer<{ didDocument: Document[] }>("query", "list-documents", "--limit", "1");
    const text = JSON.stringify(listed.didDocument[0]);
    const own = text.replaceAll(listed.didDocument[0]!.iD.slice("did:orr:".length), address("judy"));
    const file = join(folder, "judy.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(own), also_known_as: [] }));
    expect(await call("tx", "did-create", "--from", "judy", "--document", file)).toMatchObject({ code: 0 });
    writeFileSync(file, readFileSync(file, "utf8").replace("also_known_as", "alsoKnownByAll"));
    const { code, text: complaint } = await call("tx", "did-update", "--from", "judy", "--document", file);
    expect([code, complaint]).toEqual([1, expect.stringContaining("alsoKnownByAll")]);
  }, 60_000);

  describe("failures are the chain's own sentence", () => {
    const send = ["tx", "send", "--from", "carol", "--to", "bob"];
    const rows: [what: string, words: string[], sentence: string][] = [
      ["in the simulation", [...send, "--amount", "9999999999999999999uorr"], "insufficient funds"],
      [
        "in the block",
        [...send, "--amount", "9999999999999999999uorr", "--gas", "200000"],
        "insufficient funds (trans",
      ],
      ["in the check", [...send, "--amount", "1uorr", "--gas", "30000"], "out of gas"],
      ["no address", [...send.slice(0, -1), "nobody", "--amount", "1uorr"], "decoding bech32 failed"],
    ];
    test.each(rows)("%s", async (_what, words, sentence) => {
      const { code, text } = await call(...words);
      expect(code).toBe(1);
      expect(text).toStartWith("orrery: ");
      expect(text).toContain(sentence);
      expect(text.trim().split("\n")).toHaveLength(1);
    });
  });

  test("a node that cannot be reached", async () => {
    for (const words of [
      ["query", "list-supply"],
      ["tx", "send", "--from", "bob", "--to", "bob", "--amount", "1uorr"],
    ]) {
      const { code, text } = await call(...words, "--node", "http://127.0.0.1:1");
      expect([code, text]).toEqual([1, expect.stringContaining("http://127.0.0.1:1 cannot be reached")]);
    }
  }, 30_000);
});

describe("query", () => {
  const given: Partial<Record<string, () => string[]>> = {
    getDocument: () => ["--did", `did:orr:${address("alice")}`],
    getDocumentByKey: () => ["--key-id", address("alice")],
    getDocumentByService: () => ["--service-id", `did:orr:${address("carol")}#linked-domain`],
    getDocumentByNetwork: () => ["--network-id", "testnet"],
    getDocumentByMethod: () => ["--method-id", "orr"],
    getDocumentByAlias: () => ["--aka-id", "alice.orr"],
    getToken: () => ["--denom", "uorr"],
    listBalances: () => ["--address", address("alice")],
    listSpendableBalances: () => ["--address", address("alice")],
    getBlock: () => ["--height", "1"],
    listBlockTxs: () => ["--height", "1"],
  };

  test.each(OPERATIONS.filter(({ id }) => id !== "simulateTx").map(({ id, path }) => [id, path] as const))(
    "%s",
    async (id, path) => {
      const name = id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const words = ["query", name, ...(given[id]?.() ?? [])];
      const query = new URLSearchParams();
      for (let i = 2; i < words.length; i += 2) query.set(words[i]!.slice(2).replace("-", "_"), words[i + 1]!);
      const asked = await fetch(`${url}${path}?${query}`);
      expect(await answer<object>(...words)).toEqual((await asked.json()) as object);
      const { code, text } = await call(...words);
      expect(code).toBe(0);
      if (id.startsWith("list") && id !== "listBlockTxs")
        expect(text).toMatch(/\n\n\d+ shown, .*height \d+ of orrery-1\n$/);
      else expect(JSON.parse(text)).toBeObject();
    },
    20_000,
  );

  test("simulateTx", async () => {
    const { txs } = await answer<{ txs: unknown[] }>("query", "list-block-txs", "--height", "2");
    const words = ["query", "simulate-tx", "--tx", JSON.stringify(txs[0]), "--skip-sequence-check"];
    const { gas_info } = await answer<{ gas_info: { gas_used: string } }>(...words);
    expect(Number(gas_info.gas_used)).toBeGreaterThan(20_000);
    expect((await call(...words.slice(0, -1))).text).toContain("account sequence mismatch");
  }, 20_000);

  test("pages and heights", async () => {
    const first = await call("query", "list-accounts", "--limit", "2", "--height", "1");
    const [, key] = /2 shown, more with --key '([^']+)', height 1 of orrery-1\n$/.exec(first.text)!;
    const rest = await call("query", "list-accounts", "--key", key!, "--height", "1");
    expect(rest.text).toContain("height 1 of orrery-1");
    expect(rest.text).not.toContain(/cosmos1\w+/.exec(first.text)![0]);
    const future = await call("query", "list-supply", "--height", "999999");
    expect([future.code, future.text]).toEqual([1, expect.stringContaining("height in the future")]);
  }, 20_000);

  test("what the node refuses is its sentence", async () => {
    const { code, text } = await call("query", "list-balances", "--address", "cosmos1x");
    expect([code, text]).toEqual([1, expect.stringMatching(/^orrery: address: .*\n$/)]);
  });
});

test("a manual chain steps when it is told to", async () => {
  const node = orrery([
    ...["dev", "--manual", "--home", temporaryFolder(), "--api", "127.0.0.1:0", "--block-time", "50ms"],
    ...["--min-gas-prices", "0.001uorr"],
  ]);
  const door = (await node.waitFor(/HTTP door\s+(http:\/\/\S+:\d+)/, 20_000))[1]!;
  const own = (await node.waitFor(/RPC door\s+(http:\/\/\S+:\d+)/, 20_000))[1]!;
  const words = ["tx", "send", "--from", "alice", "--to", "bob", "--amount", "1uorr", "--node", door];
  const free = await call(...words);
  expect([free.code, free.text]).toEqual([1, expect.stringContaining("insufficient fees; got:  required: ")]);
  const impatient = await call(...words, "--fees", "500uorr", "--wait", "300ms");
  expect([impatient.code, impatient.text]).toEqual([1, expect.stringContaining("in no block after 0.3s")]);
  const [, place] = /look for it at (\S+)/.exec(impatient.text)!;
  expect((await fetch(place!)).status).toBe(404);
  expect(await (await fetch(`${own}/dev_produce_block`)).json()).toMatchObject({ result: { height: "2" } });
  expect((await fetch(place!)).status).toBe(200);
  await Bun.sleep(200);
  expect(await answer<object>("query", "get-latest-block", "--node", door)).toMatchObject({
    block: { header: { height: "2" } },
  });
  expect((await fetch(`${rpc}/dev_produce_block`)).status).toBe(404);
}, 60_000);

describe("usage", () => {
  const mistakes: [words: string, sentence: string][] = [
    ["tx", "tx needs a command; see orrery tx --help"],
    ["tx fly", 'unknown command "tx fly"; see orrery tx --help'],
    ["tx send --from alice", "--to is needed: ADDRESS; see orrery tx send --help"],
    ["tx send --from eve --to bob --amount 1uorr", '--from: "eve" is none of alice, bob, '],
    ["tx send --to bob --amount 1uorr", "exactly one of --from and --mnemonic-file"],
    ["tx did-create --from alice", "exactly one of --document and --sample"],
    ["query list-balances", "--address is needed: ADDRESS; see orrery query list-balances --help"],
    ["query list-coins", 'unknown command "query list-coins"; see orrery query --help'],
    ["dev --manual --rpc off", "--manual needs --rpc on loopback"],
    ["dev --manual --rpc 0.0.0.0:0", "--manual needs --rpc on loopback"],
  ];
  test.each(mistakes)("%s", async (words, sentence) => {
    const { code, text } = await call(...words.split(" "));
    expect([code, text]).toEqual([2, expect.stringMatching(/^orrery: .*--help\n$/)]);
    expect(text).toContain(sentence);
  });

  test.each([
    ["tx --help", ["orrery tx COMMAND", "did-deactivate"]],
    ["tx send --help", ["orrery tx send", "--amount COINS", "(needed)", "ORRERY_NODE", "http://127.0.0.1:1317"]],
    ["help query", ["list-spendable-balances", "simulate-tx"]],
    ["query list-balances --help", ["--address ADDRESS", "--limit N", "--height N", "/core/bank/v1beta1/balances"]],
  ])("%s", async (words, parts) => {
    const { code, text } = await call(...words.split(" "));
    expect(code).toBe(0);
    for (const part of parts) expect(text).toContain(part);
    expect(text).not.toContain("ORRERY_AMOUNT");
  });
});
