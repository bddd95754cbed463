// What each operation answers: the JSON of the interface, parts 2 and 4. `N` is the type of integers of 64 bits and
// more: digits in a string as they are sent, or bigint where the client was asked for it.

import type { Account } from "./account.ts";
import type { Block, BlockId } from "./block.ts";
import type { FoundDocument, ListedDocument } from "./document.ts";
import type { Transaction } from "./transaction.ts";
import type { TypedObject } from "./typed-object.ts";

export type Integer = string | bigint;

export type PageInfo<N extends Integer = string> = {
  /** Where the next page begins, in base64; null on the last page. */
  readonly next_key: string | null;
  /** The length of the whole list when it was counted, else 0. */
  readonly total: N;
};

export type Coin<N extends Integer = string> = { readonly denom: string; readonly amount: N };

export type DenomUnit = { readonly denom: string; readonly exponent: number; readonly aliases: readonly string[] };

export type Token = {
  readonly description: string;
  readonly denom_units: readonly DenomUnit[];
  readonly base: string;
  readonly display: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly uri_hash: string;
};

export type BlockAnswer<N extends Integer = string> = {
  readonly block_id: BlockId;
  readonly block: Block<N>;
  /** The same block, with the proposer's address as text. */
  readonly sdk_block: Block<N>;
};

export type NodeInfo<N extends Integer = string> = {
  readonly default_node_info: {
    readonly protocol_version: { readonly p2p: N; readonly block: N; readonly app: N };
    readonly default_node_id: string;
    readonly listen_addr: string;
    readonly network: string;
    readonly version: string;
    readonly channels: string;
    readonly moniker: string;
    readonly other: { readonly tx_index: string; readonly rpc_address: string };
  };
  readonly application_version: {
    readonly name: string;
    readonly app_name: string;
    readonly version: string;
    readonly git_commit: string;
    readonly build_tags: string;
    readonly go_version: string;
    readonly core_sdk_version: string;
    readonly build_deps: readonly { readonly path: string; readonly version: string; readonly sum: string }[];
  };
};

export type BlockTxs<N extends Integer = string> = {
  readonly txs: readonly Transaction<N>[];
  readonly block_id: BlockId;
  readonly block: Block<N>;
  readonly pagination: PageInfo<N>;
};

export type TxEvent = {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string; readonly index: boolean }[];
};

export type SimulationResult<N extends Integer = string> = {
  readonly gas_info: { readonly gas_wanted: N; readonly gas_used: N };
  readonly result: {
    readonly data: string;
    readonly log: string;
    readonly events: readonly TxEvent[];
    readonly msg_responses: readonly TypedObject[];
  };
};

type Page<Name extends string, Item, N extends Integer> = { readonly [Member in Name]: readonly Item[] } & {
  readonly pagination: PageInfo<N>;
};

type Found = { readonly didDocument: FoundDocument };

export type Answers<N extends Integer = string> = {
  readonly listDocuments: Page<"didDocument", ListedDocument, N>;
  readonly getDocument: { readonly didDocument: ListedDocument };
  readonly getDocumentByKey: Found;
  readonly getDocumentByService: Found;
  readonly getDocumentByNetwork: Found;
  readonly getDocumentByMethod: Found;
  readonly getDocumentByAlias: Found;
  readonly listTokens: Page<"metadatas", Token, N>;
  readonly getToken: { readonly metadata: Token };
  readonly listSupply: Page<"supply", Coin<N>, N>;
  readonly listBalances: Page<"balances", Coin<N>, N>;
  readonly listSpendableBalances: Page<"balances", Coin<N>, N>;
  readonly listAccounts: Page<"accounts", Account<N>, N>;
  readonly getBlock: BlockAnswer<N>;
  readonly getLatestBlock: BlockAnswer<N>;
  readonly getNodeInfo: NodeInfo<N>;
  readonly listBlockTxs: BlockTxs<N>;
  readonly simulateTx: SimulationResult<N>;
};

/** What the pages of each list hold. */
export type Items<N extends Integer = string> = {
  readonly listDocuments: ListedDocument;
  readonly listTokens: Token;
  readonly listSupply: Coin<N>;
  readonly listBalances: Coin<N>;
  readonly listSpendableBalances: Coin<N>;
  readonly listAccounts: Account<N>;
  readonly listBlockTxs: Transaction<N>;
};
