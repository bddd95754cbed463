import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveWithFile } from "./node-command.ts";
import { DEV_FLAGS, SERVE_FLAGS } from "./node-flags.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileWith(text: string): string {
  const path = join(folder, `${files++}.toml`);
  writeFileSync(path, text);
  return path;
}

function resolve(text: string, words: readonly string[] = [], environment = {}) {
  const path = fileWith(text);
  return { path, ...resolveWithFile(DEV_FLAGS, ["--config", path, ...words], environment) };
}

describe("who wins", () => {
  test("flag over variable over file over default", () => {
    const text = 'block-time = "1s"\nmax-url = 100\nrate = "off"\nrpc = "off"\n';
    const environment = { ORRERY_MAX_URL: "200", ORRERY_RATE: "7" };
    const { path, values, given } = resolve(text, ["--rate", "8"], environment);
    expect([values.blockTime, values.maxUrl, values.rate, values.rpc, values.maxBody]).toEqual([
      ...[1000, 200, 8, null, 262_144],
    ]);
    const sources = ["blockTime", "maxUrl", "rate", "maxBody"].map((key) => given.get(key)?.source);
    expect(sources).toEqual([path, "variable ORRERY_MAX_URL", "flag", "default"]);
  });

  test("the file in the home counts where none is named", () => {
    writeFileSync(join(folder, "config.toml"), "moniker_is_no_setting = 1\n");
    expect(() => resolveWithFile(DEV_FLAGS, ["--home", folder], {})).toThrow("unknown setting moniker_is_no_setting");
    writeFileSync(join(folder, "config.toml"), 'keep = 10\naccess_log = true\nroutes-deny = ["/docs", "simulateTx"]\n');
    const { values } = resolveWithFile(DEV_FLAGS, [], { ORRERY_HOME: folder });
    expect([values.keep, values.accessLog, values.routesDeny]).toEqual([10, true, ["/docs", "simulateTx"]]);
    rmSync(join(folder, "config.toml"));
    expect(resolveWithFile(DEV_FLAGS, ["--home", folder], {}).values.keep).toBe("all");
  });

  test("a file may hold settings of another command", () => {
    const path = fileWith('block-time = "1s"\napi = "127.0.0.1:5"\n');
    expect(resolveWithFile(SERVE_FLAGS, ["--config", path], {}).values.api).toEqual({ host: "127.0.0.1", port: 5 });
  });
});

describe("mistakes name the file and the setting", () => {
  const rows: [text: string, sentence: RegExp][] = [
    ["blok-time = 1", /\.toml: unknown setting blok-time$/],
    ["reset = true", /\.toml: reset cannot be set in a file$/],
    ["keep = 0", /\.toml: keep: "0" is neither "all" nor/],
    ["[keep]\nall = 1", /\.toml: keep: not a text, a number/],
    ["keep = ", /\.toml is not TOML: /],
  ];
  test.each(rows)("%s", (text, sentence) => {
    expect(() => resolve(text)).toThrow(sentence);
  });

  test("a file that is named and not there", () => {
    expect(() => resolveWithFile(DEV_FLAGS, ["--config", join(folder, "none.toml")], {})).toThrow(/cannot be read/);
  });

  test("a home cannot send elsewhere, a named file can", () => {
    writeFileSync(join(folder, "config.toml"), 'home = "/elsewhere"\n');
    expect(() => resolveWithFile(DEV_FLAGS, ["--home", folder], {})).toThrow("a home cannot name another");
    rmSync(join(folder, "config.toml"));
    expect(resolve('home = "/elsewhere"').values.home).toBe("/elsewhere");
  });
});
