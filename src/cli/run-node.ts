// What `dev` and `serve` share: a node is built, shown, and kept until a signal comes or its chain cannot go on.

import { createNode, type Node, type NodeOptions } from "../node.ts";
import { EXIT } from "./command.ts";
import { CommandError } from "./failure.ts";
import { firstSignal } from "./signals.ts";

/** Why an address could not be bound, in words, by the code of the operating system. */
const BIND_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: "it is in use",
  EADDRNOTAVAIL: "this machine does not have that address",
  EACCES: "permission is missing",
  // A name that cannot be looked up: which of the three it is depends on how the machine resolves names.
  EINVAL: "there is no such host",
  ENOENT: "there is no such host",
  ENOTFOUND: "there is no such host",
};

export async function runNode(options: NodeOptions, show: (node: Node) => void): Promise<number> {
  const signal = firstSignal();
  const node = await createNode(options).catch((error: unknown) => {
    throw bindFailure(error, options) ?? error;
  });
  show(node);
  const failure = await Promise.race([signal, node.failed]);
  await node.close();
  if (failure instanceof Error) throw failure;
  return EXIT.ok;
}

/** Where a browser or curl finds the door: a node that listens everywhere is called at loopback. */
export function callable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

function bindFailure(error: unknown, options: NodeOptions): CommandError | null {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = BIND_FAILURES[code];
  // Files fail with the same codes; an error of listening says so, or has a code that files cannot have.
  const syscall = error instanceof Error && "syscall" in error ? error.syscall : null;
  const listening = syscall === "listen" || (syscall === null && code.startsWith("EADDR"));
  const named = error instanceof Error && "door" in error ? error.door : null;
  const door = named === "rpc" || named === "metrics" ? named : "api";
  const address = options[door] ?? null;
  if (address === null || reason === undefined || !listening) return null;
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  return new CommandError(`cannot listen on ${host}:${address.port}: ${reason}; choose another address with --${door}`);
}
