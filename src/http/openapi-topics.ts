// The headings under which operations are shown: in the OpenAPI document and on the docs page.

import type { AnyOperation } from "../api/operations.ts";

export const NODE_TAG = "Node";
export const RESOLUTION_TAG = "DID resolution";
export const ECOSYSTEM_TAG = "Ecosystem spelling";
export const NEIGHBOUR_TAG = "Neighbours";

/** The heading under which an operation is shown. */
export function topicOf({ path }: Pick<AnyOperation, "path">): string {
  const topic = TOPICS.find(({ begins }) => path.startsWith(begins));
  return topic === undefined ? NODE_TAG : topic.name;
}

const TOPICS = [
  { name: "Identity", begins: "/vendor/", description: "DID documents: the list, one by its DID, and five look-ups." },
  { name: "Bank", begins: "/core/bank/", description: "Tokens, supply and balances." },
  { name: "Accounts", begins: "/core/auth/", description: "Accounts of every kind." },
  { name: "Blocks", begins: "/core/base/", description: "Blocks, and the node that serves them." },
  { name: "Transactions", begins: "/core/tx/", description: "The transactions of a block, and simulation." },
] as const;

export const TAGS = [
  ...TOPICS.map(({ name, description }) => ({ name, description })),
  {
    name: ECOSYSTEM_TAG,
    description: "The same operations under the paths, names and forms that wallets of the ecosystem know.",
  },
  { name: NEIGHBOUR_TAG, description: "What wallets of the ecosystem ask beside them." },
  { name: RESOLUTION_TAG, description: "W3C DID resolution of the same documents." },
  { name: NODE_TAG, description: "What the node says of itself." },
];
