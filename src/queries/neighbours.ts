// The answers of the neighbours over one store, and the way in for transactions.

import { create, toBinary } from "@bufbuild/protobuf";
import type { NeighbourQueries } from "../api/neighbours.ts";
import type { TxEntry } from "../api/tx-entry.ts";
import type { Bytes } from "../codec/bytes.ts";
import { GetSyncingResponseSchema } from "../gen/cosmos/base/tendermint/v1beta1/query_pb.ts";
import type { Store } from "../store/store.ts";
import {
  bech32PrefixResponse,
  getAccount,
  getAccountInfo,
  getAddressBytes,
  getAddressOfNumber,
  getAddressText,
  getAuthParams,
  getModuleAccount,
  listModuleAccounts,
} from "./auth.ts";
import { getToken } from "./bank.ts";
import { getBalance, getBankParams, getSpendableBalance, getSupply } from "./bank-coins.ts";
import { listHolders, listSendEnabled } from "./bank-lists.ts";
import { getNodeStatus, type NodeConfig, nodeConfigResponse } from "./node-service.ts";
import { answerFrom } from "./queries.ts";
import { queryStore } from "./store-query.ts";
import { decodeTx, encodeTx } from "./tx-coding.ts";
import { broadcastTx, getTx, searchTxs } from "./tx-service.ts";
import { getLatestValidators, getValidators } from "./validator-sets.ts";

export type NeighbourParts = {
  readonly store: Store;
  readonly bech32Prefix: string;
  readonly txEntry: TxEntry;
  readonly config: NodeConfig;
  /** How long a read may take, in milliseconds. */
  readonly readTimeoutMs?: number;
};

export function createNeighbours(parts: NeighbourParts): NeighbourQueries {
  const { store, bech32Prefix: prefix, txEntry, config, readTimeoutMs } = parts;
  const answer = answerFrom(store, readTimeoutMs);
  return {
    getAccount: answer((view, request) => getAccount(view, request, prefix)),
    getAccountInfo: answer((view, request) => getAccountInfo(view, request, prefix)),
    getAddressOfNumber: answer((view, request) => getAddressOfNumber(view, request, prefix)),
    getAuthParams: answer(getAuthParams),
    listModuleAccounts: answer(listModuleAccounts),
    getModuleAccount: answer(getModuleAccount),
    getBech32Prefix: answer(async () => bech32PrefixResponse(prefix)),
    getAddressBytes: answer(async (_, request) => getAddressBytes(request, prefix)),
    getAddressText: answer(async (_, request) => getAddressText(request, prefix)),
    getBalance: answer((view, request) => getBalance(view, request, prefix)),
    getSpendableBalance: answer((view, request) => getSpendableBalance(view, request, prefix)),
    getSupply: answer(getSupply),
    getTokenByQuery: answer(getToken),
    listHolders: answer((view, request) => listHolders(view, request, prefix)),
    listHoldersByQuery: answer((view, request) => listHolders(view, request, prefix)),
    listSendEnabled: answer(listSendEnabled),
    getBankParams: answer(getBankParams),
    getSyncing: answer(async () => NOT_SYNCING),
    getLatestValidators: answer((view, request) => getLatestValidators(view, request, prefix)),
    getValidators: answer((view, request) => getValidators(view, request, prefix)),
    queryStore: (request, height) => queryStore(store, request, height),
    getNodeConfig: answer(async () => nodeConfigResponse(config)),
    getNodeStatus: answer((view) => getNodeStatus(view, store.earliest() ?? view.height)),
    searchTxs: answer(searchTxs),
    getTx: answer(getTx),
    // Without a snapshot: the way in may wait for a block.
    broadcastTx: async (request) => ({ height: store.head() ?? 0n, body: await broadcastTx(txEntry, request) }),
    decodeTx: answer(async (_, request) => decodeTx(request)),
    encodeTx: answer(async (_, request) => encodeTx(request)),
  };
}

const NOT_SYNCING = toBinary(GetSyncingResponseSchema, create(GetSyncingResponseSchema)) as Bytes;
