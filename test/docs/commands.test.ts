// docs/commands.md holds what `orrery COMMAND --help` prints, word for word.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");
const page = readFileSync(join(ROOT, "docs", "commands.md"), "utf8");
const COMMANDS = ["dev", "serve", "import", "verify", "config", "tx", "query"];

/** All at once: most of the time goes into starting. */
const helps = new Map(COMMANDS.map((command) => [command, helpOf(command)]));

async function helpOf(command: string): Promise<string> {
  const child = Bun.spawn([process.execPath, join(ROOT, "src/cli/main.ts"), command, "--help"], { stdout: "pipe" });
  return await new Response(child.stdout).text();
}

test.each(COMMANDS)("orrery %s --help", async (command) => {
  const help = (await helps.get(command)) ?? "";
  expect(page).toContain(`\n## orrery ${command}\n\n\`\`\`\n${help.trimEnd()}\n\`\`\`\n`);
});
