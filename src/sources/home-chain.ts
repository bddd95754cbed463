// Which chain a home is for: the one it holds already, or the one that is asked for, and never a mixture.

import { isDeepStrictEqual } from "node:util";
import { DEV_GENESIS_DEFAULTS, devGenesis } from "../chain/dev-genesis.ts";
import { formatTime, type Time } from "../codec/time.ts";
import type { ChainInfo } from "../gen/orrery/state/v1/state_pb.ts";
import { getChainInfo } from "../state/block.ts";
import type { Store } from "../store/store.ts";
import { HomeError, homeFile, readHomeJson } from "./home.ts";

export type AskedChain = {
  /** A parsed genesis.json; without it, a new chain begins with the development genesis. */
  readonly genesis?: unknown;
  /** In the place of the chain id of the genesis. */
  readonly chainId?: string;
};

/** The genesis that is asked for, in full; null when nothing was asked. `now` is the time of a development genesis. */
export function askedGenesis({ genesis, chainId }: AskedChain, now: Time): unknown {
  if (genesis !== undefined) return chainId === undefined ? genesis : { ...(genesis as object), chain_id: chainId };
  const genesisTime = formatTime({ seconds: now.seconds, nanos: 0 }, "minimal");
  return devGenesis({ genesisTime, ...(chainId === undefined ? {} : { chainId }) });
}

/** The genesis that the chain of `home` began with or is to begin with. Throws HomeError when it is another one. */
export function settleGenesis(home: string, asked: AskedChain, now: Time): unknown {
  const stored = readHomeJson(home, "genesis");
  if (stored === null) return askedGenesis(asked, now);
  const path = homeFile(home, "genesis");
  const storedId = chainIdOf(stored);
  if (asked.chainId !== undefined && asked.chainId !== storedId) {
    throw new HomeError(`${home} holds the chain ${storedId}, not ${asked.chainId}; choose another home, or reset it`);
  }
  if (asked.genesis !== undefined && !isDeepStrictEqual(askedGenesis(asked, now), stored)) {
    throw new HomeError(`${home} was made from another genesis, which is in ${path}; choose another home, or reset it`);
  }
  return stored;
}

/** Of a store with at least one height. */
export async function storedChain(home: string, store: Store): Promise<ChainInfo> {
  const head = store.head();
  const info = head === null ? null : await getChainInfo(store.at(head));
  if (info === null) throw new HomeError(`${home} holds no chain yet; begin one with dev or import`);
  return info;
}

/** Blocks are added only to a chain that this node makes itself, and from the genesis that it was made of. */
export function refuseOtherChain(home: string, info: ChainInfo, genesisChainId: string): void {
  if (info.source !== "solo") {
    throw new HomeError(`${home} holds the ${info.source} of ${info.chainId}, which can be served, but not continued`);
  }
  if (info.chainId !== genesisChainId) {
    throw new HomeError(`${home} holds the chain ${info.chainId}, but its genesis is of ${genesisChainId}`);
  }
}

/** Whether the keys of a genesis are public knowledge. */
export function isDevGenesis(genesis: unknown): boolean {
  const { chain_id: chainId, genesis_time: genesisTime } = genesis as Record<string, unknown>;
  if (typeof chainId !== "string" || typeof genesisTime !== "string") return false;
  return isDeepStrictEqual(devGenesis({ ...DEV_GENESIS_DEFAULTS, chainId, genesisTime }), genesis);
}

function chainIdOf(genesis: unknown): unknown {
  return typeof genesis === "object" && genesis !== null && "chain_id" in genesis ? genesis.chain_id : null;
}
