// The 18 operations: the table of contents of the product. Router, request decoding, answers, and later OpenAPI,
// metrics and the client are derived from this table and from the descriptors it points to.

import type { DescMessage, DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import type { Time } from "../codec/time.ts";
import { Query as Auth } from "../gen/cosmos/auth/v1beta1/query_pb.ts";
import { Query as Bank } from "../gen/cosmos/bank/v1beta1/query_pb.ts";
import { Service as Node } from "../gen/cosmos/base/tendermint/v1beta1/query_pb.ts";
import { Service as Tx } from "../gen/cosmos/tx/v1beta1/service_pb.ts";
import { Query as Identity } from "../gen/orrery/identity/v1/query_pb.ts";
import type { Body } from "./answer-body.ts";

export type Operation<Id extends string, I extends DescMessage, O extends DescMessage> = {
  readonly id: Id;
  readonly method: "GET" | "POST";
  /** The path of the interface document; inputs are query parameters. */
  readonly path: string;
  /** The parameter whose presence chooses this operation among those on the same path; null for the default one. */
  readonly chosenBy: string | null;
  /** The ecosystem's own path, with path parameters in braces; null where the ecosystem has none. */
  readonly ecosystemPath: string | null;
  /** Request type, response type, and the name under which the ecosystem calls the operation. */
  readonly rpc: DescMethodUnary<I, O>;
  /** Parameters that must be given. */
  readonly required: readonly string[];
  /** Whether the answer is a page of a list. */
  readonly lists: boolean;
  readonly summary: string;
};

const DID = "/vendor/project/identity/did";
const LOOK_UP = "/vendor/project/identity/key";

export const OPERATIONS = [
  operation("listDocuments", DID, null, Identity.method.didAll, {
    lists: true,
    summary: "List the active identity documents",
  }),
  operation("getDocument", DID, null, Identity.method.did, {
    chosenBy: "did",
    required: ["did"],
    summary: "Fetch one identity document by its DID",
  }),
  operation("getDocumentByKey", LOOK_UP, null, Identity.method.didByKeyID, {
    chosenBy: "key_id",
    summary: "Find the identity document that holds a key",
  }),
  operation("getDocumentByService", LOOK_UP, null, Identity.method.didByService, {
    chosenBy: "service_id",
    summary: "Find the identity document that offers a service",
  }),
  operation("getDocumentByNetwork", LOOK_UP, null, Identity.method.didByNetwork, {
    chosenBy: "network_id",
    summary: "Find the first identity document of a network",
  }),
  operation("getDocumentByMethod", LOOK_UP, null, Identity.method.didByMethod, {
    chosenBy: "method_id",
    summary: "Find the first identity document of a DID method, or the one that holds a verification method",
  }),
  operation("getDocumentByAlias", LOOK_UP, null, Identity.method.didByAlsoKnownAs, {
    chosenBy: "aka_id",
    summary: "Find the identity document that is also known as an alias",
  }),
  operation(
    "listTokens",
    "/core/bank/v1beta1/denoms_metadata",
    "/cosmos/bank/v1beta1/denoms_metadata",
    Bank.method.denomsMetadata,
    { lists: true, summary: "List the metadata of all tokens" },
  ),
  operation(
    "getToken",
    "/core/bank/v1beta1/denoms_metadata",
    "/cosmos/bank/v1beta1/denoms_metadata/{denom}",
    Bank.method.denomMetadata,
    { chosenBy: "denom", required: ["denom"], summary: "Fetch the metadata of one token" },
  ),
  operation("listSupply", "/core/bank/v1beta1/supply", "/cosmos/bank/v1beta1/supply", Bank.method.totalSupply, {
    lists: true,
    summary: "List the total supply of every token",
  }),
  operation(
    "listBalances",
    "/core/bank/v1beta1/balances",
    "/cosmos/bank/v1beta1/balances/{address}",
    Bank.method.allBalances,
    { required: ["address"], lists: true, summary: "List the balances of one account" },
  ),
  operation(
    "listSpendableBalances",
    "/core/bank/v1beta1/spendable_balances",
    "/cosmos/bank/v1beta1/spendable_balances/{address}",
    Bank.method.spendableBalances,
    { required: ["address"], lists: true, summary: "List what one account can spend now" },
  ),
  operation("listAccounts", "/core/auth/v1beta1/accounts", "/cosmos/auth/v1beta1/accounts", Auth.method.accounts, {
    lists: true,
    summary: "List all accounts",
  }),
  operation(
    "getBlock",
    "/core/base/consensus/v1beta1/blocks",
    "/cosmos/base/tendermint/v1beta1/blocks/{height}",
    Node.method.getBlockByHeight,
    { required: ["height"], summary: "Fetch the block at a height" },
  ),
  operation(
    "getLatestBlock",
    "/core/base/consensus/v1beta1/blocks/latest",
    "/cosmos/base/tendermint/v1beta1/blocks/latest",
    Node.method.getLatestBlock,
    { summary: "Fetch the latest block" },
  ),
  operation(
    "getNodeInfo",
    "/core/base/consensus/v1beta1/node_info",
    "/cosmos/base/tendermint/v1beta1/node_info",
    Node.method.getNodeInfo,
    { summary: "Fetch information about this node" },
  ),
  operation(
    "listBlockTxs",
    "/core/tx/v1beta1/txs/block",
    "/cosmos/tx/v1beta1/txs/block/{height}",
    Tx.method.getBlockWithTxs,
    { required: ["height"], lists: true, summary: "List the transactions of the block at a height" },
  ),
  operation("simulateTx", "/core/tx/v1beta1/simulate", "/cosmos/tx/v1beta1/simulate", Tx.method.simulate, {
    method: "POST",
    required: ["tx", "tx_bytes"],
    summary: "Simulate a transaction to estimate its gas",
  }),
] as const;

export type AnyOperation = (typeof OPERATIONS)[number];
export type OperationId = AnyOperation["id"];
type OperationOf<Id extends OperationId> = Extract<AnyOperation, { id: Id }>;

/** What an operation takes, as a message of its request type. */
export type RequestOf<Id extends OperationId> = MessageShape<OperationOf<Id>["rpc"]["input"]>;

/** An answer: the response message, and the height it was read at. */
export type Answer = {
  readonly height: bigint;
  readonly body: Body;
  /** How many records were read for it, where that is counted. */
  readonly rows?: number;
};

/** One answering function for each operation: a missing one does not compile. */
export type Queries = {
  readonly [Id in OperationId]: (request: RequestOf<Id>, height: bigint | undefined) => Promise<Answer>;
};

/** The newest height at a moment; a refusal begins with the name of the parameter that gave it. */
export type HeightAtTime = (time: Time, parameter: string) => Promise<bigint>;

/** The chain and the heights it can be asked at. */
export type KeptRange = { readonly chainId: string; readonly earliest: bigint; readonly latest: bigint };

type Traits = Partial<
  Pick<Operation<string, DescMessage, DescMessage>, "method" | "chosenBy" | "required" | "lists">
> & {
  readonly summary: string;
};

function operation<const Id extends string, I extends DescMessage, O extends DescMessage>(
  id: Id,
  path: string,
  ecosystemPath: string | null,
  rpc: DescMethodUnary<I, O>,
  traits: Traits,
): Operation<Id, I, O> {
  return { id, method: "GET", path, ecosystemPath, rpc, chosenBy: null, required: [], lists: false, ...traits };
}
