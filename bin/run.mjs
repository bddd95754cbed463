#!/usr/bin/env node
// Runs a TypeScript file of this repository under Bun, after installing what the lockfile names if it is not
// installed yet. Plain Node without dependencies, because it is what runs on a fresh clone.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".orrery-installed");
const bun = join(root, "node_modules", ".bin", process.platform === "win32" ? "bun.cmd" : "bun");

install();
run(process.argv.slice(2));

function install() {
  const lockfile = readFileSync(join(root, "package-lock.json"));
  const wanted = createHash("sha256").update(lockfile).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  if (holdsAll(JSON.parse(lockfile).packages)) return writeFileSync(stamp, wanted);
  console.error("orrery: installing dependencies (once)");
  const done = spawnSync("npm", ["ci", "--no-fund", "--no-audit", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (done.status !== 0) fail("npm ci failed; its output is above");
  // Some npm versions do not run install scripts; Bun's own only puts its binary in place, so it is run here.
  if (!works(bun)) spawnSync(process.execPath, [join(root, "node_modules", "bun", "install.js")], { stdio: "ignore" });
  if (!works(bun)) fail("the npm package 'bun' was installed, but its binary does not run on this machine");
  writeFileSync(stamp, wanted);
}

// Whether someone has installed the same by hand: npm writes this list when an installation is complete.
function holdsAll(locked) {
  const list = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(list) || !works(bun)) return false;
  const installed = JSON.parse(readFileSync(list, "utf8")).packages;
  return Object.entries(locked).every(
    ([path, { version, optional }]) => path === "" || optional || installed[path]?.version === version,
  );
}

function works(command) {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
}

function run(args) {
  const [file, ...rest] = args;
  if (file === undefined) fail("usage: run.mjs FILE [ARGUMENT…]");
  const child = spawn(bun, [join(root, file), ...rest], { stdio: "inherit" });
  // Ctrl-C reaches the child by itself (same terminal); a signal sent to this process alone is passed on.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // npm puts a shell between itself and this process, and that shell ends without passing a signal on.
  if (process.env.npm_lifecycle_event) endWith(process.ppid, () => child.kill("SIGTERM"));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
  child.on("error", (error) => fail(`cannot start ${bun}: ${error.message}`));
}

function endWith(parent, stop) {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 250);
}

function fail(reason) {
  console.error(`orrery: ${reason}`);
  process.exit(1);
}
