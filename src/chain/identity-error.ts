// Refusals of the identity module. Codespace and number are part of the protocol: a number never changes its meaning.

import { ChainError } from "./errors.ts";

const TEXT = {
  1100: "did document not found",
  1101: "did document already exists",
  1102: "invalid did",
  1103: "invalid did document",
  1104: "unauthorized for this did",
  1105: "did is deactivated",
  1106: "unexpected did version",
  1107: "alias already claimed",
  1108: "document too large",
} as const;

export type IdentityCode = keyof typeof TEXT;

export class IdentityError extends ChainError {
  /** `detail` names the field, the entry and the reason. */
  constructor(code: IdentityCode, detail: string) {
    super("identity", code, `${TEXT[code]}: ${detail}`);
  }
}

export function invalidDocument(where: string, reason: string): IdentityError {
  return new IdentityError(1103, `${where}: ${reason}`);
}
