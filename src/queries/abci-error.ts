// Refusals of abci_query: they stand in the response, with the reference's codes.

const DESCRIPTIONS = {
  2: "tx parse error",
  6: "unknown request",
  18: "invalid request",
  22: "key not found",
  26: "invalid height",
} as const;

export class AbciError extends Error {
  override readonly name = "AbciError";
  readonly codespace = "sdk";
  readonly code: keyof typeof DESCRIPTIONS;

  /** The reference ends every such sentence with the description of its code. */
  constructor(code: keyof typeof DESCRIPTIONS, reason: string) {
    super(`${reason}: ${DESCRIPTIONS[code]}`);
    this.code = code;
  }
}
