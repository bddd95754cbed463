// One file that holds the runtime and the node, for each platform it is shipped for: dist/orrery-linux-x64 and
// dist/orrery-linux-arm64. The one for this machine is started and asked before it counts as built.
//
//   npm run build:executables [-- x64|arm64]

import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./step.ts";

const ARCHITECTURES = ["x64", "arm64"] as const;
type Architecture = (typeof ARCHITECTURES)[number];

const DIST = join(ROOT, "dist");
/** Read as a file by the library that it belongs to, so it must lie in the executable under its own name. */
const WASM = join(ROOT, "node_modules", "tiny-secp256k1", "lib", "secp256k1.wasm");
const START_MS = 20_000;

const asked = process.argv.slice(2);
mkdirSync(DIST, { recursive: true });
for (const architecture of ARCHITECTURES) {
  if (asked.length > 0 && !asked.includes(architecture)) continue;
  const path = await build(architecture);
  const megabytes = Math.round(statSync(path).size / 1024 / 1024);
  const runs = process.platform === "linux" && process.arch === architecture;
  if (runs) await tryOut(path);
  console.log(`${path}: ${megabytes} MB${runs ? ", starts and answers" : ", not tried on this machine"}`);
}

async function build(architecture: Architecture): Promise<string> {
  const path = join(DIST, `orrery-linux-${architecture}`);
  const target = `bun-linux-${architecture}`;
  // What lies in the folder that it is started in must not change what it does.
  const closed = ["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"];
  const options = ["--compile", ...closed, "--minify-syntax", `--target=${target}`, `--outfile=${path}`];
  const entries = [join(ROOT, "src", "cli", "main.ts"), WASM, "--asset-naming=[name].[ext]"];
  const child = Bun.spawn([process.execPath, "build", ...options, ...entries], {
    ...{ cwd: ROOT, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${target} could not be built:\n${said}`);
  return path;
}

/** In a folder of its own, so that nothing of the checkout can be found by chance. */
async function tryOut(path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-executable-"));
  const words = ["dev", "--home", join(folder, "home"), "--api", "127.0.0.1:0", "--rpc", "off"];
  const child = Bun.spawn([path, ...words], { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  try {
    const url = await addressIn(child.stdout);
    for (const path of ["/core/base/consensus/v1beta1/blocks/latest", "/docs", "/readyz"]) {
      const { status } = await fetch(url + path);
      if (status !== 200) throw new Error(`${path} answers ${status}`);
    }
    child.kill("SIGTERM");
    const code = await child.exited;
    if (code !== 0) throw new Error(`it ended with code ${code}`);
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const timer = setTimeout(() => void output.cancel("it did not start in time"), START_MS);
  for await (const chunk of output) {
    text += new TextDecoder().decode(chunk);
    const match = /HTTP door\s+(http:\/\/\S+:\d+)/.exec(text);
    if (match === null) continue;
    clearTimeout(timer);
    return match[1] as string;
  }
  throw new Error(`it has not named its address:\n${text}`);
}
