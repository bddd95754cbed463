// The method of a node that makes no block by itself: test suites step its chain with it. The reference has none like
// it, so its name says that it is for development.

import { RpcRefusal } from "../api/rpc-queries.ts";
import { method } from "./method.ts";

export const MANUAL_METHODS = [
  method("dev_produce_block", {}, async ({ blockOnRequest }) => {
    if (blockOnRequest === null) throw new RpcRefusal("this node does not make blocks on request");
    return { height: String(await blockOnRequest()) };
  }),
];
