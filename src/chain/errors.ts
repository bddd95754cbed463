// The errors of execution: what clients see is a codespace, a code, and a sentence that ends with the root's words.

export type RootError = { readonly codespace: string; readonly code: number; readonly text: string };

export const ROOT = {
  txParse: sdk(2, "tx parse error"),
  unauthorized: sdk(4, "unauthorized"),
  insufficientFunds: sdk(5, "insufficient funds"),
  unknownRequest: sdk(6, "unknown request"),
  invalidAddress: sdk(7, "invalid address"),
  invalidPubKey: sdk(8, "invalid pubkey"),
  unknownAddress: sdk(9, "unknown address"),
  invalidCoins: sdk(10, "invalid coins"),
  outOfGas: sdk(11, "out of gas"),
  memoTooLarge: sdk(12, "memo too large"),
  insufficientFee: sdk(13, "insufficient fee"),
  tooManySignatures: sdk(14, "maximum number of signatures exceeded"),
  noSignatures: sdk(15, "no signatures supplied"),
  invalidRequest: sdk(18, "invalid request"),
  txTimeout: sdk(30, "tx timeout height"),
  wrongSequence: sdk(32, "incorrect account sequence"),
  notFound: sdk(38, "not found"),
  invalidGasLimit: sdk(41, "invalid gas limit"),
  noInputs: bank(2, "no inputs to send transaction"),
  noOutputs: bank(3, "no outputs to send transaction"),
  sumsDiffer: bank(4, "sum inputs != sum outputs"),
  sendDisabled: bank(5, "send transactions are disabled"),
  multipleSenders: bank(9, "multiple senders not allowed"),
} as const;

/** What a caller may want to know beside the sentence. */
export type ErrorFacts = { readonly messageIndex?: number; readonly expectedSequence?: bigint };

export class ChainError extends Error {
  override readonly name = "ChainError";
  readonly codespace: string;
  readonly code: number;
  readonly facts: ErrorFacts;

  constructor(codespace: string, code: number, message: string, facts: ErrorFacts = {}) {
    super(message);
    this.codespace = codespace;
    this.code = code;
    this.facts = facts;
  }

  /** The same error with words before it. */
  wrap(detail: string, facts: ErrorFacts = {}): ChainError {
    return new ChainError(this.codespace, this.code, `${detail}: ${this.message}`, { ...this.facts, ...facts });
  }
}

/** A root error with the detail before its own words; without a detail, the root's words alone. */
export function failure(root: RootError, detail?: string, facts: ErrorFacts = {}): ChainError {
  return new ChainError(root.codespace, root.code, detail === undefined ? root.text : `${detail}: ${root.text}`, facts);
}

/** Another module's code may be the same number. */
export function isOutOfGas({ codespace, code }: ChainError): boolean {
  return codespace === ROOT.outOfGas.codespace && code === ROOT.outOfGas.code;
}

/** An error that the reference never registered: clients see codespace `undefined`, code 1. */
export function plainFailure(text: string): ChainError {
  return new ChainError("undefined", 1, text);
}

function sdk(code: number, text: string): RootError {
  return { codespace: "sdk", code, text };
}

function bank(code: number, text: string): RootError {
  return { codespace: "bank", code, text };
}
