// A program of this checkout as one file, which starts in half the time of its hundreds of modules: the tests start it
// more than a hundred times. `npm start` itself, from the modules, is what readme.test.ts runs.

import { mkdirSync, mkdtempSync, renameSync, rmdirSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../../scripts/step.ts";

/** Below the installed packages, so that what is left out of the file is found there. */
const CACHE = join(ROOT, "node_modules", ".cache", "orrery-e2e");
/** Reads its WebAssembly from a file beside its own. */
const LEFT_OUT = ["tiny-secp256k1"];

/** The path of the bundle. It is put in its place whole: others may make and start the same one meanwhile. */
export async function bundle(program: string): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const outdir = mkdtempSync(join(CACHE, "new-"));
  const { outputs } = await Bun.build({ entrypoints: [program], target: "bun", outdir, external: LEFT_OUT });
  const made = (outputs[0] as Bun.BuildArtifact).path;
  const path = join(CACHE, basename(made));
  renameSync(made, path);
  rmdirSync(outdir);
  return path;
}
