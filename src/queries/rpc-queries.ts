// What the RPC door asks of the node, over one store.

import type { NeighbourQueries } from "../api/neighbours.ts";
import type { Queries } from "../api/operations.ts";
import type { HeadDescription, NodeStatus, RpcQueries } from "../api/rpc-queries.ts";
import type { Bytes } from "../codec/bytes.ts";
import { consensusAddress, type PublicKey } from "../codec/public-key.ts";
import { findValidator } from "../codec/validator-set.ts";
import { firstBlockHeight, getStoreRoots } from "../state/block.ts";
import type { Snapshot, Store } from "../store/store.ts";
import { createAbciQuery } from "./abci-query.ts";
import { CHANNELS, CONSENSUS_VERSION, type NodeInfo, PROTOCOL_VERSION } from "./node.ts";
import { readBlock, rpcBlockQueries, validatorsAt } from "./rpc-blocks.ts";
import { atHead } from "./rpc-heights.ts";
import { searchBlocks, searchTxs, txOrRefusal } from "./rpc-txs.ts";

export type RpcParts = {
  readonly store: Store;
  readonly info: NodeInfo;
  readonly queries: Queries;
  readonly neighbours: NeighbourQueries;
  /** The parsed genesis.json; null where the node does not have it. */
  readonly genesis: () => unknown;
  /** What the node signs with; a node without votes still has a key, and no power. */
  readonly validatorKey: PublicKey;
};

export function createRpcQueries(parts: RpcParts): RpcQueries {
  const { store, info, genesis } = parts;
  return {
    ...rpcBlockQueries(store),
    status: () => atHead(store, (view) => statusOf(view, parts)),
    genesis,
    tx: (hash, prove) => atHead(store, (view) => txOrRefusal(view, hash, prove)),
    txSearch: (query, page) => atHead(store, (view, giveWay) => searchTxs(view, query, page, giveWay)),
    blockSearch: (query, page) => atHead(store, (view, giveWay) => searchBlocks(view, query, page, giveWay)),
    abciInfo: () =>
      atHead(store, async (view) => ({
        name: "orrery",
        version: info.version,
        appVersion: PROTOCOL_VERSION.app,
        height: view.height,
        appHash: ((await getStoreRoots(view))?.appHash ?? new Uint8Array(0)) as Bytes,
      })),
    abciQuery: createAbciQuery({ ...parts, version: info.version }),
  };
}

async function statusOf(view: Snapshot, { info, validatorKey }: RpcParts): Promise<NodeStatus> {
  const { nodeId, listenAddress, chainId, moniker } = info;
  const address = consensusAddress(validatorKey);
  const member = findValidator(await validatorsAt(view, view.height + 1n), address);
  return {
    node: {
      ...{ nodeId, listenAddress, chainId, moniker, rpcAddress: info.rpcAddress() },
      channels: CHANNELS,
      consensusVersion: CONSENSUS_VERSION,
      protocol: PROTOCOL_VERSION,
    },
    latest: await describe(view, view.height),
    earliest: await describe(view, await firstBlockHeight(view)),
    validator: { address, publicKey: validatorKey, votingPower: member?.votingPower ?? 0n },
  };
}

async function describe(view: Snapshot, height: bigint): Promise<HeadDescription> {
  const { blockId, block } = await readBlock(view, height);
  return { hash: blockId.hash, appHash: block.header.appHash, height, time: block.header.time };
}
