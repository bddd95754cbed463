// `orrery import`: fills a home from a genesis file or from a recording of another node.

import { importGenesis, importRecording } from "../node.ts";
import { chainId, defineCommand, EXIT, home, keep, logLevel, reset, validators } from "./command.ts";
import { type Flag, UsageError } from "./flags.ts";
import { readJsonFile } from "./json-file.ts";
import { parsePath } from "./values.ts";

const genesis: Flag<string, null> = {
  placeholder: "FILE",
  about: "a genesis.json: its state becomes the first height",
  fallback: null,
  parse: parsePath,
};

const recording: Flag<string, null> = {
  placeholder: "DIR",
  about: "a recorded chain: state/*.json, rpc/genesis.json and rpc/blocks/*.json",
  fallback: null,
  parse: parsePath,
};

export const importCommand = defineCommand({
  name: "import",
  summary: "Fill a home from a genesis file or from a recorded chain",
  about: `Takes exactly one of --genesis and --recording. What is inconsistent is refused with a sentence that names the
entry, and nothing is written.`,
  flags: { genesis, recording, home, chainId, validators, keep, reset, logLevel },
  run: async ({ genesis, recording, chainId, validators, ...target }, log) => {
    if ((genesis === undefined) === (recording === undefined)) {
      throw new UsageError("import takes exactly one of --genesis and --recording");
    }
    const imported =
      genesis === undefined
        ? await importRecording({ ...target, recording: recording! })
        : await importGenesis({
            ...target,
            genesis: readJsonFile("the genesis", genesis),
            ...(chainId === undefined ? {} : { chainId }),
            ...(validators === undefined ? {} : { validators }),
          });
    log.show(`${target.home} holds the chain ${imported.chainId} at height ${imported.height}`);
    return EXIT.ok;
  },
});
