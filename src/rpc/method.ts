// What a method of the door is: its name, its arguments, and the function that answers it.

import type { NewBlock, RpcQueries } from "../api/rpc-queries.ts";
import type { TxEntry } from "../api/tx-entry.ts";
import type { Json } from "../codec/comet-block-json-writer.ts";
import type { Arguments, Parameters } from "./arguments.ts";

/** What the door is given by whoever opens it. */
export type RpcNode = {
  readonly queries: RpcQueries;
  readonly txs: TxEntry;
  /** Makes a block of what waits, and gives its height; null for a node that makes blocks by itself, or none at all. */
  readonly blockOnRequest: (() => Promise<bigint>) | null;
  /** Tells of each block that is committed from now on. Returns the way to end that. */
  onBlock(listener: (block: NewBlock) => void): () => void;
};

export type Method = {
  readonly name: string;
  readonly parameters: Parameters;
  /** Whether the answer can be kept for a day: always, or when a height was given. */
  readonly immutable: "never" | "always" | "with height";
  answer(node: RpcNode, given: Arguments<Parameters>): Promise<Json>;
};

export function method<P extends Parameters>(
  name: string,
  parameters: P,
  answer: (node: RpcNode, given: Arguments<P>) => Promise<Json>,
  immutable: Method["immutable"] = "never",
): Method {
  return { name, parameters, immutable, answer: answer as Method["answer"] };
}
