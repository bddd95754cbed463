// The table of contents of the door. Argument reading, the list at the root, caching and all transports follow from it.

import { BLOCK_METHODS } from "./block-methods.ts";
import type { Method } from "./method.ts";
import { NODE_METHODS } from "./node-methods.ts";
import { TX_METHODS } from "./tx-methods.ts";

export const METHODS: ReadonlyMap<string, Method> = new Map(
  [...NODE_METHODS, ...BLOCK_METHODS, ...TX_METHODS].map((method): [string, Method] => [method.name, method]),
);

/** These answer on a WebSocket only, with the arguments named here. */
export const SUBSCRIPTION_METHODS = { subscribe: ["query"], unsubscribe: ["query"], unsubscribe_all: [] } as const;

export type SubscriptionMethod = keyof typeof SUBSCRIPTION_METHODS;

export function isSubscriptionMethod(name: string): name is SubscriptionMethod {
  return Object.hasOwn(SUBSCRIPTION_METHODS, name);
}
