// A node of its own process for the crash test with transactions. Argument: the home. Says where its doors are.

import { createNode } from "../../src/node.ts";

const ANY_PORT = { host: "127.0.0.1", port: 0 };
const complain = (text: string) => process.stderr.write(`${text}\n`);

const node = await createNode({
  mode: "dev",
  home: process.argv[2]!,
  api: ANY_PORT,
  rpc: ANY_PORT,
  blockTimeMs: 100,
  log: { debug() {}, info() {}, warn: complain, error: complain },
});
process.stdout.write(`${node.url} ${node.rpcUrl}\n`);
