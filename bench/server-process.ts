// A server in a process of its own, whose CPU time can be read.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const START_LIMIT_MS = 60_000;

export type ServerProcess = { readonly url: string; cpuMicroseconds(): number; stop(): Promise<void> };

/** Starts a script that prints its address on a line of its own, as `http://…`. */
export async function startServer(script: string, args: readonly string[] = []): Promise<ServerProcess> {
  const child = Bun.spawn([process.execPath, join(ROOT, script), ...args], { stdout: "pipe", stderr: "inherit" });
  const url = await addressOf(child.stdout);
  return {
    url,
    cpuMicroseconds: () => cpuMicroseconds(child.pid),
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

async function addressOf(output: ReadableStream<Uint8Array>): Promise<string> {
  const deadline = Date.now() + START_LIMIT_MS;
  const reader = output.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (Date.now() < deadline) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    const address = /http:\/\/\S+:\d+/.exec(text)?.[0];
    if (address !== undefined) {
      // What follows is read and forgotten, so that the child never waits for a full pipe.
      void (async () => {
        while (!(await reader.read()).done);
      })();
      return address;
    }
  }
  throw new Error(`the server did not name its address; it printed: ${text}`);
}

/** User and system time of all threads. The kernel counts in ticks of a hundredth of a second. */
function cpuMicroseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
