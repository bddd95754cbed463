// Transactions, part 2.6 of the interface.

import type { Coin, Integer } from "./answers.ts";
import type { TypedObject } from "./typed-object.ts";

export type SignMode =
  | "SIGN_MODE_UNSPECIFIED"
  | "SIGN_MODE_DIRECT"
  | "SIGN_MODE_TEXTUAL"
  | "SIGN_MODE_DIRECT_AUX"
  | "SIGN_MODE_LEGACY_AMINO_JSON"
  | "SIGN_MODE_EIP_191";

/** One of the two, or none of them where a signer gave none. */
export type ModeInfo = {
  readonly single?: { readonly mode: SignMode };
  readonly multi?: {
    readonly bitarray: { readonly extra_bits_stored: number; readonly elems: string };
    readonly mode_infos: readonly ModeInfo[];
  };
};

export type SignerInfo<N extends Integer = string> = {
  readonly public_key: TypedObject | null;
  readonly mode_info: ModeInfo;
  readonly sequence: N;
};

export type Transaction<N extends Integer = string> = {
  readonly body: {
    readonly messages: readonly TypedObject[];
    readonly memo: string;
    readonly timeout_height: N;
    readonly extension_options: readonly TypedObject[];
    readonly non_critical_extension_options: readonly TypedObject[];
  };
  readonly auth_info: {
    readonly signer_infos: readonly SignerInfo<N>[];
    readonly fee: {
      readonly amount: readonly Coin<N>[];
      readonly gas_limit: N;
      readonly payer: string;
      readonly granter: string;
    };
    readonly tip: { readonly amount: readonly Coin<N>[]; readonly tipper: string } | null;
  };
  /** In base64. */
  readonly signatures: readonly string[];
  /** Only where the block holds bytes that are no transaction: these bytes in base64; the parts above are empty. */
  readonly raw?: string;
  /** Why those bytes are no transaction. */
  readonly decode_error?: string;
};
