// Real processes for the end-to-end tests: started on free ports and temporary homes, waited for with bounds, and
// ended when the test is over.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/step.ts";
import { bundle } from "./bundle.ts";

export { ROOT };

export const PROGRAM = await bundle(join(ROOT, "src", "cli", "main.ts"));

export type Run = {
  readonly pid: number;
  /** Standard output and standard error so far, in the order of arrival. */
  text(): string;
  /** The match of a pattern in the text, as soon as it is there; throws with the text when it does not come. */
  waitFor(pattern: RegExp, milliseconds: number): Promise<RegExpExecArray>;
  /** The exit code, or the signal that ended it; throws when the process is still there after that time. */
  exit(milliseconds: number): Promise<number | string>;
  signal(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): void;
};

const running = new Set<Bun.Subprocess>();
const folders: string[] = [];

/** Starts `orrery` with these words. Variables of the person who runs the tests do not reach it. */
export function orrery(words: readonly string[], environment: Record<string, string> = {}): Run {
  return start([process.execPath, PROGRAM, ...words], environment);
}

export function start(command: readonly string[], environment: Record<string, string> = {}): Run {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("ORRERY_"));
  const child = Bun.spawn([...command], {
    cwd: ROOT,
    // Many nodes run at once: none may insist on the usual port of the RPC door, or turn away a test because the machine
    // is slow today.
    env: { ...Object.fromEntries(inherited), ORRERY_RPC: "127.0.0.1:0", ORRERY_SHED_DELAY: "off", ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own, so that what it starts can be ended with it.
    detached: true,
  });
  running.add(child);
  let text = "";
  const collect = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  };
  const output = Promise.all([collect(child.stdout), collect(child.stderr)]);
  const ended = () => child.exitCode ?? child.signalCode;
  return {
    pid: child.pid,
    text: () => text,
    waitFor: (pattern, milliseconds) => {
      const look = () => {
        const found = pattern.exec(text);
        if (found === null && ended() !== null) throw new Error(`it ended without ${pattern}:\n${text}`);
        return found;
      };
      return until(look, milliseconds, () => `${pattern} in:\n${text}`);
    },
    exit: async (milliseconds) => {
      const how = await until(ended, milliseconds, () => `the end of ${command.join(" ")}:\n${text}`);
      // What it printed last may still be on its way; what it left running may hold the pipe open.
      await Promise.race([output, Bun.sleep(1000)]);
      return how;
    },
    signal: (signal) => child.kill(signal),
  };
}

/** A folder of its own for one test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "orrery-e2e-"));
  folders.push(folder);
  return folder;
}

/** Ends what is still running and removes the folders: for `afterAll`. */
export async function cleanUp(): Promise<void> {
  for (const child of running) endGroup(child.pid);
  await Promise.all([...running].map((child) => child.exited));
  running.clear();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Nobody of it is left.
  }
}

/** Looks every few milliseconds until there is something; throws what was waited for when time is up. */
async function until<T>(look: () => T | null, milliseconds: number, what: () => string): Promise<T> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const found = look();
    if (found !== null) return found;
    if (performance.now() > end) throw new Error(`waited ${milliseconds} ms in vain for ${what()}`);
    await Bun.sleep(10);
  }
}
