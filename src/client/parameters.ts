// What each operation takes, under the names of the interface.

/** Digits, a whole number, or a bigint: whichever is at hand. */
export type IntegerInput = string | number | bigint;

/** `key` is the `next_key` of the page before; it and `offset` exclude each other. */
export type Pagination = {
  readonly key?: string | undefined;
  readonly offset?: IntegerInput | undefined;
  /** The size of the page: 100 unless given, at most 1,000. */
  readonly limit?: IntegerInput | undefined;
  /** Not counted when `key` is given. */
  readonly count_total?: boolean | undefined;
  readonly reverse?: boolean | undefined;
};

export type Paged = { readonly pagination?: Pagination | undefined };

type Nothing = { readonly [name: string]: never };

/** The transaction in one of its two forms, or the same one in both. */
export type Simulation = { readonly skip_sequence_check?: boolean | undefined } & (
  | {
      /** The raw transaction: bytes, or their base64. */
      readonly tx_bytes: string | Uint8Array;
      readonly tx?: string | undefined;
    }
  | {
      /** The transaction as JSON text, or as base64. */
      readonly tx: string;
      readonly tx_bytes?: string | Uint8Array | undefined;
    }
);

export type Parameters = {
  readonly listDocuments: Paged;
  readonly getDocument: { readonly did: string };
  readonly getDocumentByKey: { readonly key_id: string };
  readonly getDocumentByService: { readonly service_id: string };
  readonly getDocumentByNetwork: { readonly network_id: string };
  readonly getDocumentByMethod: { readonly method_id: string };
  readonly getDocumentByAlias: { readonly aka_id: string };
  readonly listTokens: Paged;
  readonly getToken: { readonly denom: string };
  readonly listSupply: Paged;
  readonly listBalances: Paged & { readonly address: string };
  readonly listSpendableBalances: Paged & { readonly address: string };
  readonly listAccounts: Paged;
  readonly getBlock: { readonly height: IntegerInput };
  readonly getLatestBlock: Nothing;
  readonly getNodeInfo: Nothing;
  readonly listBlockTxs: Paged & { readonly height: IntegerInput };
  readonly simulateTx: Simulation;
};
