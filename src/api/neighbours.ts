// The neighbours of the 18 operations: what wallets of the ecosystem ask beside them, under the ecosystem's own paths
// and names alone. A further one is one line here and one answering function.

import type { DescMessage, DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import { Query as Auth } from "../gen/cosmos/auth/v1beta1/query_pb.ts";
import { Query as Bank } from "../gen/cosmos/bank/v1beta1/query_pb.ts";
import { Service as Node } from "../gen/cosmos/base/tendermint/v1beta1/query_pb.ts";
import { Service as Tx } from "../gen/cosmos/tx/v1beta1/service_pb.ts";
import type { Answer } from "./operations.ts";

export type Neighbour<Id extends string, I extends DescMessage, O extends DescMessage> = {
  readonly id: Id;
  readonly method: "GET" | "POST";
  /** The ecosystem's path, with path parameters in braces. */
  readonly ecosystemPath: string;
  readonly rpc: DescMethodUnary<I, O>;
  readonly required: readonly string[];
};

const AUTH = "/cosmos/auth/v1beta1";
const BANK = "/cosmos/bank/v1beta1";
const NODE = "/cosmos/base/tendermint/v1beta1";
const TX = "/cosmos/tx/v1beta1";

export const NEIGHBOURS = [
  neighbour("getAccount", `${AUTH}/accounts/{address}`, Auth.method.account),
  neighbour("getAccountInfo", `${AUTH}/account_info/{address}`, Auth.method.accountInfo),
  neighbour("getAuthParams", `${AUTH}/params`, Auth.method.params),
  neighbour("listModuleAccounts", `${AUTH}/module_accounts`, Auth.method.moduleAccounts),
  neighbour("getModuleAccount", `${AUTH}/module_accounts/{name}`, Auth.method.moduleAccountByName),
  neighbour("getBech32Prefix", `${AUTH}/bech32`, Auth.method.bech32Prefix),
  neighbour("getBalance", `${BANK}/balances/{address}/by_denom`, Bank.method.balance),
  neighbour(
    "getSpendableBalance",
    `${BANK}/spendable_balances/{address}/by_denom`,
    Bank.method.spendableBalanceByDenom,
  ),
  neighbour("getSupply", `${BANK}/supply/by_denom`, Bank.method.supplyOf),
  neighbour("getBankParams", `${BANK}/params`, Bank.method.params),
  neighbour("getSyncing", `${NODE}/syncing`, Node.method.getSyncing),
  neighbour("getLatestValidators", `${NODE}/validatorsets/latest`, Node.method.getLatestValidatorSet),
  neighbour("getValidators", `${NODE}/validatorsets/{height}`, Node.method.getValidatorSetByHeight),
  neighbour("searchTxs", `${TX}/txs`, Tx.method.getTxsEvent),
  neighbour("getTx", `${TX}/txs/{hash}`, Tx.method.getTx),
  neighbour("broadcastTx", `${TX}/txs`, Tx.method.broadcastTx, "POST"),
] as const;

export type AnyNeighbour = (typeof NEIGHBOURS)[number];
export type NeighbourId = AnyNeighbour["id"];

export type NeighbourRequest<Id extends NeighbourId> = MessageShape<Extract<AnyNeighbour, { id: Id }>["rpc"]["input"]>;

/** One answering function for each neighbour: a missing one does not compile. */
export type NeighbourQueries = {
  readonly [Id in NeighbourId]: (request: NeighbourRequest<Id>, height: bigint | undefined) => Promise<Answer>;
};

function neighbour<const Id extends string, I extends DescMessage, O extends DescMessage>(
  id: Id,
  ecosystemPath: string,
  rpc: DescMethodUnary<I, O>,
  method: "GET" | "POST" = "GET",
): Neighbour<Id, I, O> {
  return { id, method, ecosystemPath, rpc, required: [] };
}
