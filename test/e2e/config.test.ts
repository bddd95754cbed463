// Settings as an operator meets them: what a file says is in force, and the command tells where it came from.

import { afterAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, orrery, temporaryFolder } from "./orrery.ts";

afterAll(cleanUp);

test("orrery config names the source of each value, and what it prints is a config file again", async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, "config.toml"), 'block-time = "1s"\nrate = 7\n');
  const run = orrery(["config", "--home", home, "--max-url", "500"], { ORRERY_RATE: "9" });
  expect(await run.exit(10_000)).toBe(0);
  const text = run.text();
  expect(text).toMatch(/^block-time = "1s" +# .*config\.toml$/m);
  expect(text).toMatch(/^rate = "9" +# variable ORRERY_RATE$/m);
  expect(text).toMatch(/^max-url = "500" +# flag$/m);
  expect(text).toMatch(/^keep = "all" +# default$/m);
  const copy = join(temporaryFolder(), "copy.toml");
  writeFileSync(copy, text);
  const again = orrery(["config", "--config", copy, "--home", home]);
  expect(await again.exit(10_000)).toBe(0);
  expect(again.text()).toMatch(/^block-time = "1s" +# .*copy\.toml$/m);
}, 30_000);

test("a node runs with the file of its home, and a mistake in it is one sentence", async () => {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  writeFileSync(join(home, "config.toml"), 'api = "127.0.0.1:0"\nmetrics = "127.0.0.1:0"\nlog-format = "json"\n');
  const run = orrery(["dev", "--home", home, "--no-empty-blocks"]);
  const [, metrics] = await run.waitFor(/metrics +(http:\S+\/metrics)/, 20_000);
  expect(await (await fetch(metrics as string)).text()).toMatch(/^orrery_wal_bytes \d+$/m);
  for (const line of run.text().trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("level");
  run.signal("SIGTERM");
  expect(await run.exit(10_000)).toBe(0);

  writeFileSync(join(home, "config.toml"), "aip = 1\n");
  const wrong = orrery(["dev", "--home", home]);
  expect(await wrong.exit(10_000)).toBe(2);
  expect(wrong.text()).toMatch(/^orrery: \S+config\.toml: unknown setting aip; see orrery dev --help\n$/);
}, 60_000);
