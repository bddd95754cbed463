// A development node behind a real socket, in memory; blocks come when a test asks for them.

import { createNode, type DevOptions, type Node } from "../../src/node.ts";

export function openDevNode(options: Partial<DevOptions> = {}): Promise<Node> {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const api = { host: "127.0.0.1", port: 0 };
  return createNode({ mode: "dev", engine: "memory", home: "", manual: true, api, log, ...options });
}
