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
  getAuthParams,
  getModuleAccount,
  listModuleAccounts,
} from "./auth.ts";
import { getBalance, getBankParams, getSpendableBalance, getSupply } from "./bank-coins.ts";
import { answerFrom } from "./queries.ts";
import { broadcastTx, getTx, searchTxs } from "./tx-service.ts";
import { getLatestValidators, getValidators } from "./validator-sets.ts";

export type NeighbourParts = { readonly store: Store; readonly bech32Prefix: string; readonly txEntry: TxEntry };

export function createNeighbours({ store, bech32Prefix: prefix, txEntry }: NeighbourParts): NeighbourQueries {
  const answer = answerFrom(store);
  return {
    getAccount: answer((view, request) => getAccount(view, request, prefix)),
    getAccountInfo: answer((view, request) => getAccountInfo(view, request, prefix)),
    getAuthParams: answer(getAuthParams),
    listModuleAccounts: answer(listModuleAccounts),
    getModuleAccount: answer(getModuleAccount),
    getBech32Prefix: answer(async () => bech32PrefixResponse(prefix)),
    getBalance: answer((view, request) => getBalance(view, request, prefix)),
    getSpendableBalance: answer((view, request) => getSpendableBalance(view, request, prefix)),
    getSupply: answer(getSupply),
    getBankParams: answer(getBankParams),
    getSyncing: answer(async () => NOT_SYNCING),
    getLatestValidators: answer((view, request) => getLatestValidators(view, request, prefix)),
    getValidators: answer((view, request) => getValidators(view, request, prefix)),
    searchTxs: answer(searchTxs),
    getTx: answer(getTx),
    // Without a snapshot: the way in may wait for a block.
    broadcastTx: async (request) => ({ height: store.head() ?? 0n, body: await broadcastTx(txEntry, request) }),
  };
}

const NOT_SYNCING = toBinary(GetSyncingResponseSchema, create(GetSyncingResponseSchema)) as Bytes;
