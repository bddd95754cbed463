// What an operator does not want to tell about the node: its fields are answered empty.

import type { NodeInfo } from "./node.ts";

/** By the names that the answer has for them. */
export const HIDEABLE = ["moniker", "listen_addr", "rpc_address", "version", "git_commit", "go_version", "build_deps"];

const EMPTY: Readonly<Record<string, Partial<NodeInfo>>> = {
  moniker: { moniker: "" },
  listen_addr: { listenAddress: "" },
  rpc_address: { rpcAddress: () => "" },
  version: { version: "" },
  git_commit: { gitCommit: "" },
  go_version: { runtime: "" },
  build_deps: { dependencies: [] },
};

export function hideNodeInfo(info: NodeInfo, names: readonly string[]): NodeInfo {
  return Object.assign({}, info, ...names.map((name) => EMPTY[name] ?? {}));
}
