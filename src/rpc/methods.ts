// The table of contents of the door. Argument reading, the list at the root, caching and all transports follow from it.

import { BLOCK_METHODS } from "./block-methods.ts";
import { MANUAL_METHODS } from "./manual-methods.ts";
import type { Method, RpcNode } from "./method.ts";
import { NODE_METHODS } from "./node-methods.ts";
import { TX_METHODS } from "./tx-methods.ts";

type Methods = ReadonlyMap<string, Method>;

const METHODS: Methods = byName([...NODE_METHODS, ...BLOCK_METHODS, ...TX_METHODS]);
const METHODS_ON_REQUEST: Methods = byName([...METHODS.values(), ...MANUAL_METHODS]);

/** What can be asked of this node. */
export function methodsOf({ blockOnRequest }: RpcNode): Methods {
  return blockOnRequest === null ? METHODS : METHODS_ON_REQUEST;
}

/** These answer on a WebSocket only, with the arguments named here. */
export const SUBSCRIPTION_METHODS = { subscribe: ["query"], unsubscribe: ["query"], unsubscribe_all: [] } as const;

export type SubscriptionMethod = keyof typeof SUBSCRIPTION_METHODS;

export function isSubscriptionMethod(name: string): name is SubscriptionMethod {
  return Object.hasOwn(SUBSCRIPTION_METHODS, name);
}

function byName(methods: readonly Method[]): Methods {
  return new Map(methods.map((method): [string, Method] => [method.name, method]));
}
