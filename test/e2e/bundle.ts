// A program of this checkout as one file, which starts in half the time of its hundreds of modules: the tests start it
// more than a hundred times. `npm start` itself, from the modules, is what readme.test.ts runs.

import { afterAll } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/step.ts";

/** Below the installed packages, so that what is left out of the file is found there. */
const CACHE = join(ROOT, "node_modules", ".cache");
/** Reads its WebAssembly from a file beside its own. */
const LEFT_OUT = ["tiny-secp256k1"];

/** The path of the bundle, which goes when the tests of the file that asks for it are over: asked for outside of tests. */
export async function bundle(program: string): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const outdir = mkdtempSync(join(CACHE, "orrery-e2e-"));
  afterAll(() => rmSync(outdir, { recursive: true, force: true }));
  const { outputs } = await Bun.build({ entrypoints: [program], target: "bun", outdir, external: LEFT_OUT });
  return (outputs[0] as Bun.BuildArtifact).path;
}
