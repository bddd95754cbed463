// Builds the client for publishing: client.js, one minified file without imports, and its declarations beside it.
// Run alone it writes to dist/; the tests build into folders of their own.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ROOT, runTool } from "./step.ts";

const ENTRY = join(ROOT, "src", "client", "client.ts");

/** Bytes of client.js, as it is and as it travels. */
export type ClientSize = { readonly plain: number; readonly gzipped: number };

export async function buildClient(folder: string): Promise<ClientSize> {
  mkdirSync(folder, { recursive: true });
  const code = await bundleClient();
  writeFileSync(join(folder, "client.js"), code);
  await declareClient(folder);
  return { plain: Buffer.byteLength(code), gzipped: Bun.gzipSync(code, { level: 9 }).length };
}

export async function bundleClient(): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [ENTRY], target: "browser", format: "esm", minify: true });
  return outputs[0]!.text();
}

/** The declarations that can be reached from the client's own; the others are of no use to its users. */
async function declareClient(folder: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "orrery-declarations-"));
  try {
    writeFileSync(join(work, "tsconfig.json"), JSON.stringify(declarationConfig(work)));
    const { code, output } = await runTool(["tsc", "-p", work]);
    if (code !== 0) throw new Error(`the declarations cannot be made:\n${output}`);
    const seen = new Set(["client"]);
    for (const name of seen) {
      const text = readFileSync(join(work, "out", "client", `${name}.d.ts`), "utf8");
      // Users do not allow imports that end in .ts, and the compiler does not rewrite them in declarations.
      const published = text.replaceAll(/ from "\.\/([\w-]+)\.ts"/g, (_all, other: string) => {
        seen.add(other);
        return ` from "./${other}.js"`;
      });
      writeFileSync(join(folder, `${name}.d.ts`), published);
    }
    copyFileSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  } finally {
    rmSync(work, { recursive: true });
  }
}

function declarationConfig(work: string): object {
  return {
    extends: join(ROOT, "tsconfig.json"),
    include: [],
    files: [ENTRY],
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(ROOT, "src"),
      outDir: join(work, "out"),
      types: [],
    },
  };
}

if (import.meta.main) {
  const folder = join(ROOT, "dist");
  const { plain, gzipped } = await buildClient(folder);
  console.log(`${basename(folder)}/client.js: ${plain} bytes, ${gzipped} gzipped`);
}
