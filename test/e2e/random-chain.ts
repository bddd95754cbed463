// A node of its own process for the crash test: blocks as fast as they are asked for, each with random changes of the
// whole state. Arguments: the home, the milliseconds from block to block, and how many heights to keep (else all).

import { createNode } from "../../src/node.ts";
import { executeRandomBlock } from "../harness/random-changes.ts";

const [home, blockTime, keep] = process.argv.slice(2);
const complain = (text: string) => process.stderr.write(`${text}\n`);

const node = await createNode({
  mode: "dev",
  home: home!,
  api: { host: "127.0.0.1", port: 0 },
  blockTimeMs: Number(blockTime),
  ...(keep === undefined ? {} : { keep: Number(keep) }),
  executeBlock: executeRandomBlock,
  log: { debug() {}, info() {}, warn: complain, error: complain },
});
process.stdout.write(`${node.url}\n`);
