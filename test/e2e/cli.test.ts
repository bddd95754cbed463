// The command line as a person meets it: real processes, real ports, real homes.

import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, orrery, PROGRAM, ROOT, type Run, start, temporaryFolder } from "./orrery.ts";

const FREE = ["--api", "127.0.0.1:0"];
const RECORDING = join(ROOT, "test", "fixtures");

afterAll(cleanUp);

/** The address that a started node names. */
async function door(run: Run): Promise<string> {
  const [, url] = await run.waitFor(/HTTP door\s+(http:\/\/\S+:\d+)/, 10_000);
  return url!;
}

async function latestHeight(url: string): Promise<bigint> {
  const answer = await fetch(`${url}/core/base/consensus/v1beta1/blocks/latest`);
  expect(answer.status).toBe(200);
  const { block } = (await answer.json()) as { block: { header: { height: string } } };
  return BigInt(block.header.height);
}

describe("dev", () => {
  test("starts within five seconds on a free port, prints its banner, and stops on SIGTERM", async () => {
    const home = temporaryFolder();
    const started = performance.now();
    const run = orrery(["dev", "--home", home, ...FREE, "--block-time", "200ms"]);
    const url = await door(run);
    expect(url).not.toEndWith(":0");
    expect(await latestHeight(url)).toBeGreaterThanOrEqual(1n);
    expect(performance.now() - started).toBeLessThan(5000);

    await run.waitFor(/block 3\b/, 5000);
    const text = run.text();
    expect(text).toContain(home);
    expect(text).toMatch(/WARNING: these keys are public/);
    expect(text.match(/\bcosmos1\w{38}\b.*[0-9a-f]{64}$/gm)).toHaveLength(10);
    expect(text).toMatch(/did:orr:cosmos1\w{38}/);
    const curls = [...text.matchAll(/^ *curl -s '([^']+)'$/gm)].map((match) => match[1]!);
    expect(curls).toHaveLength(5);
    for (const curl of curls) {
      expect(curl).toStartWith(url);
      expect((await fetch(curl)).status).toBe(200);
    }

    run.signal("SIGTERM");
    expect(await run.exit(5000)).toBe(0);
  }, 20_000);

  test("goes on where it stopped, and is quiet at level warn", async () => {
    const home = temporaryFolder();
    const words = ["dev", "--home", home, ...FREE, "--block-time", "100ms"];
    const first = orrery(words);
    await first.waitFor(/block 3\b/, 10_000);
    first.signal("SIGINT");
    expect(await first.exit(5000)).toBe(0);
    const heights = [...first.text().matchAll(/block (\d+)/g)].map((match) => BigInt(match[1]!));
    const second = orrery([...words, "--no-empty-blocks"]);
    expect(await latestHeight(await door(second))).toBe(heights.at(-1)!);

    const quiet = orrery(["dev", "--home", temporaryFolder(), ...FREE, "--block-time", "50ms", "--log-level", "warn"]);
    await Bun.sleep(1500);
    expect(quiet.text()).toBe("");
    quiet.signal("SIGTERM");
    expect(await quiet.exit(5000)).toBe(0);
  }, 30_000);

  test("goes on when whoever read its log is gone", async () => {
    const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const { port } = taken;
    taken.stop(true);
    const words = ["dev", "--home", temporaryFolder(), "--api", `127.0.0.1:${port}`, "--block-time", "100ms"];
    const run = start(["bash", "-c", '"$0" "$@" | head -n 1', process.execPath, PROGRAM, ...words]);
    const height = () => latestHeight(`http://127.0.0.1:${port}`).catch(() => 0n);
    const end = performance.now() + 20_000;
    while ((await height()) < 8n && performance.now() < end) await Bun.sleep(50);
    expect(await height()).toBeGreaterThanOrEqual(8n);
    expect(run.text()).not.toContain("EPIPE");
  }, 30_000);

  test("a second one on the same home names the process that holds it", async () => {
    const home = temporaryFolder();
    const first = orrery(["dev", "--home", home, ...FREE]);
    await door(first);
    const second = orrery(["dev", "--home", home, ...FREE]);
    expect(await second.exit(10_000)).toBe(1);
    expect(second.text()).toContain(`process ${first.pid}`);
    expect(second.text().trim().split("\n")).toHaveLength(1);
    expect(await latestHeight(await door(first))).toBeGreaterThanOrEqual(1n);
  }, 30_000);

  test("an address in use is one sentence", async () => {
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    const run = orrery(["dev", "--home", temporaryFolder(), "--api", `127.0.0.1:${server.port}`]);
    expect(await run.exit(10_000)).toBe(1);
    expect(run.text()).toMatch(new RegExp(`^orrery: .*127\\.0\\.0\\.1:${server.port}.*in use.*--api\n$`));
    await server.stop(true);
  }, 20_000);

  test("a damaged home is one sentence and the code of a storage failure", async () => {
    const home = temporaryFolder();
    const whole = orrery(["dev", "--home", home, ...FREE]);
    await door(whole);
    whole.signal("SIGTERM");
    expect(await whole.exit(5000)).toBe(0);
    const database = new Database(join(home, "chain.db"));
    database.run("UPDATE latest SET crc = crc + 1");
    database.close();
    const damaged = orrery(["dev", "--home", home, ...FREE]);
    expect(await damaged.exit(10_000)).toBe(74);
    expect(damaged.text()).toMatch(/^orrery: .*damaged.*\n$/);
    const explained = orrery(["dev", "--home", home, ...FREE, "--log-level", "debug"]);
    expect(await explained.exit(10_000)).toBe(74);
    expect(explained.text()).toMatch(/^ +at /m);
  }, 40_000);

  test.each([
    ["10.255.255.254:0", /does not have that address/],
    ["no-such-host.invalid:0", /there is no such host/],
  ])(
    "an address that cannot be had: %s",
    async (address, reason) => {
      const run = orrery(["dev", "--home", temporaryFolder(), "--api", address]);
      expect(await run.exit(15_000)).toBe(1);
      expect(run.text()).toMatch(reason);
      expect(run.text().trim().split("\n")).toHaveLength(1);
    },
    20_000,
  );

  test("a chain of another genesis shows no keys", async () => {
    const genesis = join(RECORDING, "rpc", "genesis.json");
    const run = orrery(["dev", "--home", temporaryFolder(), ...FREE, "--genesis", genesis, "--chain-id", "other-1"]);
    const url = await door(run);
    expect(run.text()).not.toMatch(/WARNING|mnemonic/);
    expect((await fetch(`${url}/core/auth/v1beta1/accounts`)).headers.get("x-chain-id")).toBe("other-1");
  }, 20_000);

  test("a genesis that cannot be used is one sentence, and writes nothing", async () => {
    const folder = temporaryFolder();
    const broken = join(folder, "broken.json");
    const empty = join(folder, "empty.json");
    writeFileSync(broken, "{");
    writeFileSync(empty, "{}");
    for (const [file, reason] of [
      [join(folder, "missing.json"), /there is no such file/],
      [broken, /is not JSON/],
      [empty, /genesis/i],
    ] as const) {
      const home = join(folder, "home");
      const run = orrery(["dev", "--home", home, ...FREE, "--genesis", file]);
      expect(await run.exit(10_000)).toBe(1);
      expect(run.text()).toMatch(reason);
      expect(run.text().trim().split("\n")).toHaveLength(1);
      expect(await orrery(["verify", "--home", home]).exit(10_000)).toBe(1);
    }
  }, 60_000);
});

describe("import, serve, verify", () => {
  const home = temporaryFolder();

  test("a recorded chain is imported, served at its last height, and found sound", async () => {
    const imported = orrery(["import", "--recording", RECORDING, "--home", home]);
    expect(await imported.exit(30_000)).toBe(0);
    const serving = orrery(["serve", "--home", home, ...FREE]);
    const url = await door(serving);
    expect(await latestHeight(url)).toBe(66n);
    const answer = await fetch(`${url}/core/auth/v1beta1/accounts`);
    expect(answer.headers.get("x-cosmos-block-height")).toBe("66");
    expect(((await answer.json()) as { accounts: unknown[] }).accounts).toHaveLength(100);

    const beside = orrery(["verify", "--home", home]);
    expect(await beside.exit(30_000)).toBe(0);
    serving.signal("SIGTERM");
    expect(await serving.exit(5000)).toBe(0);
  }, 90_000);

  test("a second import into the same home is refused", async () => {
    const again = orrery(["import", "--recording", RECORDING, "--home", home]);
    expect(await again.exit(30_000)).toBe(1);
    expect(again.text().trim().split("\n")).toHaveLength(1);
  }, 40_000);

  test("a flipped byte in a value is found", async () => {
    const database = new Database(join(home, "chain.db"));
    const row = database.query("SELECT key, value FROM latest WHERE length(value) > 20 LIMIT 1 OFFSET 50").get() as {
      key: Uint8Array<ArrayBuffer>;
      value: Uint8Array<ArrayBuffer>;
    };
    row.value[10]! ^= 1;
    database.run("UPDATE latest SET value = ? WHERE key = ?", [row.value, row.key]);
    database.close();
    const run = orrery(["verify", "--home", home]);
    expect(await run.exit(30_000)).toBe(1);
    expect(run.text()).toContain("damaged");
  }, 40_000);

  test("a genesis is imported, then served", async () => {
    const other = temporaryFolder();
    const words = ["import", "--genesis", join(RECORDING, "rpc", "genesis.json"), "--home", other];
    expect(await orrery(words).exit(30_000)).toBe(0);
    const serving = orrery(["serve", "--home", other, ...FREE]);
    expect(await latestHeight(await door(serving))).toBe(1n);
  }, 60_000);

  test("a folder without a chain is said in plain words", async () => {
    const empty = join(temporaryFolder(), "none");
    mkdirSync(empty);
    for (const command of ["serve", "verify"]) {
      const run = orrery([command, "--home", empty]);
      expect(await run.exit(10_000)).toBe(1);
      expect(run.text()).toContain(empty);
      expect(run.text()).not.toMatch(/^ +at /m);
    }
  }, 30_000);
});

describe("usage", () => {
  const mistakes: [words: string[], environment: Record<string, string>, sentence: string][] = [
    [["fly"], {}, 'unknown command "fly"; see orrery --help'],
    [["dev", "--speed", "9"], {}, "unknown flag --speed; see orrery dev --help"],
    [["dev", "--api"], {}, "--api needs a value: HOST:PORT; see orrery dev --help"],
    [["dev", "--api", "1317"], {}, "--api: "],
    [["dev"], { ORRERY_BLOCK_TIME: "soon" }, "ORRERY_BLOCK_TIME: "],
    [["serve", "here"], {}, 'unexpected argument "here"; see orrery serve --help'],
    [["import"], {}, "exactly one of --genesis and --recording"],
    [["import", "--genesis", "a", "--recording", "b"], {}, "exactly one of --genesis and --recording"],
    [["verify", "--log-level", "loud"], {}, "--log-level: "],
  ];
  test.each(mistakes)("%p", async (words, environment, sentence) => {
    const run = orrery(words, environment);
    expect(await run.exit(10_000)).toBe(2);
    expect(run.text()).toStartWith("orrery: ");
    expect(run.text()).toContain(sentence);
    expect(run.text().trim().split("\n")).toHaveLength(1);
  });

  test.each(["dev", "serve", "import", "verify"])("%s --help", async (command) => {
    const run = orrery([command, "--help"]);
    expect(await run.exit(10_000)).toBe(0);
    for (const part of [`orrery ${command}`, "--home DIR", "ORRERY_HOME", "~/.orrery", "74 storage failure"]) {
      expect(run.text()).toContain(part);
    }
  });

  test.each(["help", "--help", "version", "help dev"])("%s", async (words) => {
    const run = orrery(words.split(" "));
    expect(await run.exit(10_000)).toBe(0);
    expect(run.text()).toContain("orrery");
  });
});
