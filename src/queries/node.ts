// What the node says of itself.

import { create, toBinary } from "@bufbuild/protobuf";
import { type Bytes, fromHex } from "../codec/bytes.ts";
import { GetNodeInfoResponseSchema } from "../gen/cosmos/base/tendermint/v1beta1/query_pb.ts";

export type NodeInfo = {
  readonly chainId: string;
  readonly bech32Prefix: string;
  /** The address of the node's key: 40 hex digits. */
  readonly nodeId: string;
  readonly listenAddress: string;
  /** Asked each time: a free port is not known before the door is open. */
  readonly rpcAddress: () => string;
  readonly moniker: string;
  readonly version: string;
  readonly gitCommit: string;
  /** The runtime, in the place where the reference names its Go version. */
  readonly runtime: string;
  readonly dependencies: readonly { readonly path: string; readonly version: string; readonly sum: string }[];
};

/** The protocol and SDK lines whose formats this node keeps to. */
export const CONSENSUS_VERSION = "0.37.5";
const SDK_VERSION = "v0.47.17";
export const PROTOCOL_VERSION = { p2p: 8n, block: 11n, app: 0n };
/** Ids of the peer channels of a reference node, which clients show as they are. */
export const CHANNELS = "40202122233038606100";

export function nodeInfoResponse(info: NodeInfo): Bytes {
  const message = create(GetNodeInfoResponseSchema, {
    defaultNodeInfo: {
      protocolVersion: PROTOCOL_VERSION,
      defaultNodeId: info.nodeId,
      listenAddr: info.listenAddress,
      network: info.chainId,
      version: CONSENSUS_VERSION,
      channels: fromHex(CHANNELS),
      moniker: info.moniker,
      other: { txIndex: "on", rpcAddress: info.rpcAddress() },
    },
    applicationVersion: {
      name: "orrery",
      appName: "orrery",
      version: info.version,
      gitCommit: info.gitCommit,
      buildTags: "",
      goVersion: info.runtime,
      buildDeps: info.dependencies.map((dependency) => ({ ...dependency })),
      cosmosSdkVersion: SDK_VERSION,
    },
  });
  return toBinary(GetNodeInfoResponseSchema, message) as Bytes;
}
