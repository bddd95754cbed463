// The 18 operations as a client needs them: where to ask, with which parameters, and where a page holds its items. The
// table in api/ brings the protobuf runtime along, so this one stands beside it; a test holds the two together.

export type Operation = {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Names in the query string. */
  readonly query: readonly string[];
  /** Members of the JSON body. */
  readonly body: readonly string[];
  /** Without these the request would be refused, or mean another operation on the same path. */
  readonly required: readonly string[];
  /** The member of the answer that holds the items of a page; null where the answer is no page. */
  readonly items: string | null;
};

const PAGE = ["key", "offset", "limit", "count_total", "reverse"].map((name) => `pagination.${name}`);
const DID = "/vendor/project/identity/did";
const LOOK_UP = "/vendor/project/identity/key";
const BANK = "/core/bank/v1beta1";
const NODE = "/core/base/consensus/v1beta1";
const TX = "/core/tx/v1beta1";

export const OPERATIONS = {
  listDocuments: list(DID, "didDocument"),
  getDocument: one(DID, "did"),
  getDocumentByKey: one(LOOK_UP, "key_id"),
  getDocumentByService: one(LOOK_UP, "service_id"),
  getDocumentByNetwork: one(LOOK_UP, "network_id"),
  getDocumentByMethod: one(LOOK_UP, "method_id"),
  getDocumentByAlias: one(LOOK_UP, "aka_id"),
  listTokens: list(`${BANK}/denoms_metadata`, "metadatas"),
  getToken: one(`${BANK}/denoms_metadata`, "denom"),
  listSupply: list(`${BANK}/supply`, "supply"),
  listBalances: list(`${BANK}/balances`, "balances", "address"),
  listSpendableBalances: list(`${BANK}/spendable_balances`, "balances", "address"),
  listAccounts: list("/core/auth/v1beta1/accounts", "accounts"),
  getBlock: one(`${NODE}/blocks`, "height"),
  getLatestBlock: one(`${NODE}/blocks/latest`),
  getNodeInfo: one(`${NODE}/node_info`),
  listBlockTxs: list(`${TX}/txs/block`, "txs", "height"),
  simulateTx: {
    method: "POST",
    path: `${TX}/simulate`,
    query: ["skip_sequence_check"],
    body: ["tx", "tx_bytes"],
    // The interface wants both; either may be empty, and the client fills in the one that is not given.
    required: [],
    items: null,
  },
} satisfies Record<string, Operation>;

export type OperationId = keyof typeof OPERATIONS;

function one(path: string, ...required: readonly string[]): Operation {
  return { method: "GET", path, query: required, body: [], required, items: null };
}

function list(path: string, items: string, ...required: readonly string[]): Operation {
  return { method: "GET", path, query: [...required, ...PAGE], body: [], required, items };
}
