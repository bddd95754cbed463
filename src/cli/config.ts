// `orrery config`: what is in force, and where each value came from.

import { type Command, EXIT } from "./command.ts";
import { type Given, nameOf } from "./flags.ts";
import { resolveWithFile } from "./node-command.ts";
import { DEV_FLAGS } from "./node-flags.ts";

export const configCommand: Command = {
  name: "config",
  summary: "Print the settings in force, and where each came from",
  about: `Takes the flags of dev and serve, and prints what those commands would use with them. The text is a config file
of its own: lines without a value are comments.`,
  flags: DEV_FLAGS,
  start: async (words, environment) => {
    const { given } = resolveWithFile(DEV_FLAGS, words, environment);
    const lines = Object.keys(DEV_FLAGS).map((key) => settingLine(key, given.get(key)));
    const width = Math.max(...lines.map(({ setting }) => setting.length));
    for (const { setting, source } of lines) process.stdout.write(`${setting.padEnd(width)}  # ${source}\n`);
    return EXIT.ok;
  },
};

type Line = { readonly setting: string; readonly source: string };

/** What cannot stand in a file, or has no value, is a comment. */
function settingLine(key: string, given: Given | undefined): Line {
  const name = nameOf(key).slice(2);
  if (given === undefined) return { setting: `# ${name}`, source: "not set" };
  const setting = `${name} = ${JSON.stringify(given.text)}`;
  return { setting: ["config", "reset", "home"].includes(key) ? `# ${setting}` : setting, source: given.source };
}
