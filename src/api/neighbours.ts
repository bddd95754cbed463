// The neighbours of the 18 operations: what wallets of the ecosystem ask beside them, under the ecosystem's own paths
// and names alone. A further one is one line here and one answering function.

import type { DescMessage, DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import { Query as Auth } from "../gen/cosmos/auth/v1beta1/query_pb.ts";
import { Query as Bank } from "../gen/cosmos/bank/v1beta1/query_pb.ts";
import { Service as Node } from "../gen/cosmos/base/node/v1beta1/query_pb.ts";
import { Service as Base } from "../gen/cosmos/base/tendermint/v1beta1/query_pb.ts";
import { Service as Tx } from "../gen/cosmos/tx/v1beta1/service_pb.ts";
import type { Answer } from "./operations.ts";

export type Neighbour<Id extends string, I extends DescMessage, O extends DescMessage> = {
  readonly id: Id;
  readonly method: "GET" | "POST";
  /** The ecosystem's path, with path parameters in braces. */
  readonly ecosystemPath: string;
  readonly rpc: DescMethodUnary<I, O>;
  readonly required: readonly string[];
  readonly summary: string;
};

const AUTH = "/cosmos/auth/v1beta1";
const BANK = "/cosmos/bank/v1beta1";
const BASE = "/cosmos/base/tendermint/v1beta1";
const NODE = "/cosmos/base/node/v1beta1";
const TX = "/cosmos/tx/v1beta1";

export const NEIGHBOURS = [
  neighbour("getAccount", `${AUTH}/accounts/{address}`, Auth.method.account, "One account of any kind"),
  neighbour(
    "getAccountInfo",
    `${AUTH}/account_info/{address}`,
    Auth.method.accountInfo,
    "Key, number and sequence of one account",
  ),
  neighbour(
    "getAddressOfNumber",
    `${AUTH}/address_by_id/{id}`,
    Auth.method.accountAddressByID,
    "The address that has an account number",
  ),
  neighbour("getAuthParams", `${AUTH}/params`, Auth.method.params, "The rules of the auth module"),
  neighbour("listModuleAccounts", `${AUTH}/module_accounts`, Auth.method.moduleAccounts, "The accounts of modules"),
  neighbour(
    "getModuleAccount",
    `${AUTH}/module_accounts/{name}`,
    Auth.method.moduleAccountByName,
    "The account of one module",
  ),
  neighbour("getBech32Prefix", `${AUTH}/bech32`, Auth.method.bech32Prefix, "What the chain's addresses begin with"),
  // These two share a path: a text that has the form of an address is one, and anything else is bytes.
  neighbour(
    "getAddressBytes",
    `${AUTH}/bech32/{address_string}`,
    Auth.method.addressStringToBytes,
    "The bytes of an address",
  ),
  neighbour(
    "getAddressText",
    `${AUTH}/bech32/{address_bytes}`,
    Auth.method.addressBytesToString,
    "The address of some bytes, given as base64",
  ),
  neighbour(
    "getBalance",
    `${BANK}/balances/{address}/by_denom`,
    Bank.method.balance,
    "What an account has of one token",
  ),
  neighbour(
    "getSpendableBalance",
    `${BANK}/spendable_balances/{address}/by_denom`,
    Bank.method.spendableBalanceByDenom,
    "What an account can spend of one token now",
  ),
  neighbour("getSupply", `${BANK}/supply/by_denom`, Bank.method.supplyOf, "The supply of one token"),
  neighbour(
    "getTokenByQuery",
    `${BANK}/denoms_metadata_by_query_string`,
    Bank.method.denomMetadataByQueryString,
    "The metadata of one token, its denom as a parameter",
  ),
  neighbour("listHolders", `${BANK}/denom_owners/{denom}`, Bank.method.denomOwners, "Who holds a token, and how much"),
  neighbour(
    "listHoldersByQuery",
    `${BANK}/denom_owners_by_query`,
    Bank.method.denomOwnersByQuery,
    "Who holds a token, its denom as a parameter",
  ),
  neighbour(
    "listSendEnabled",
    `${BANK}/send_enabled`,
    Bank.method.sendEnabled,
    "Tokens of which it is said whether they may be sent",
  ),
  neighbour("getBankParams", `${BANK}/params`, Bank.method.params, "The rules of the bank module"),
  neighbour("getSyncing", `${BASE}/syncing`, Base.method.getSyncing, "Whether the node is catching up"),
  neighbour(
    "getLatestValidators",
    `${BASE}/validatorsets/latest`,
    Base.method.getLatestValidatorSet,
    "The validators of the next block",
  ),
  neighbour(
    "getValidators",
    `${BASE}/validatorsets/{height}`,
    Base.method.getValidatorSetByHeight,
    "The validators of the block at a height",
  ),
  neighbour("queryStore", `${BASE}/abci_query`, Base.method.aBCIQuery, "A raw key of a store, with proof if wanted"),
  neighbour("getNodeConfig", `${NODE}/config`, Node.method.config, "What the node asks of transactions, and keeps"),
  neighbour("getNodeStatus", `${NODE}/status`, Node.method.status, "How far the node is, and how far back it goes"),
  neighbour("searchTxs", `${TX}/txs`, Tx.method.getTxsEvent, "Transactions by what happened in them"),
  neighbour("getTx", `${TX}/txs/{hash}`, Tx.method.getTx, "One transaction by its hash"),
  neighbour("broadcastTx", `${TX}/txs`, Tx.method.broadcastTx, "Send a transaction", "POST"),
  neighbour("decodeTx", `${TX}/decode`, Tx.method.txDecode, "A transaction from bytes to JSON", "POST"),
  neighbour("encodeTx", `${TX}/encode`, Tx.method.txEncode, "A transaction from JSON to bytes", "POST"),
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
  summary: string,
  method: "GET" | "POST" = "GET",
): Neighbour<Id, I, O> {
  return { id, method, ecosystemPath, rpc, required: [], summary };
}
