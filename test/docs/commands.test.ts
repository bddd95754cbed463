// docs/commands.md holds what `orrery COMMAND --help` prints, word for word.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");
const page = readFileSync(join(ROOT, "docs", "commands.md"), "utf8");

test.each(["dev", "serve", "import", "verify", "config", "tx", "query"])("orrery %s --help", (command) => {
  const { stdout } = Bun.spawnSync([process.execPath, join(ROOT, "src/cli/main.ts"), command, "--help"]);
  expect(page).toContain(`\n## orrery ${command}\n\n\`\`\`\n${stdout.toString().trimEnd()}\n\`\`\`\n`);
});
