// What a call throws when it has no answer.

import { CODE } from "../api/errors.ts";

/** The gRPC codes that occur: those that a node answers with, and that of a node which does not answer in time. */
export const ERROR_CODE = { ...CODE, deadlineExceeded: 4 } as const;

/** A typed object beside the message. */
export type ErrorDetail = { readonly "@type": string; readonly [name: string]: string | number };

/** The detail of a simulation that failed. */
export type SimulationFailure = {
  readonly "@type": "/orrery.tx.v1.SimulationFailure";
  readonly codespace: string;
  readonly code: number;
  readonly gas_wanted: string;
  readonly gas_used: string;
  /** The message that failed, counted from zero. */
  readonly message_index?: number;
  /** The sequence that the account expects, when another one was given. */
  readonly expected_sequence?: string;
};

export type ErrorFacts = {
  readonly code: number;
  readonly status?: number;
  readonly details?: readonly (ErrorDetail | SimulationFailure)[];
  readonly parameter?: string | null;
  readonly endpoint: string;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
};

export class OrreryError extends Error {
  override readonly name = "OrreryError";
  /** A gRPC code; see ERROR_CODE. */
  readonly code: number;
  /** The HTTP status; 0 when there was no answer that could be used. */
  readonly status: number;
  readonly details: readonly (ErrorDetail | SimulationFailure)[];
  /** The parameter that the message begins with, as in "address: …"; null when it names none. */
  readonly parameter: string | null;
  /** Who answered, or did not. */
  readonly endpoint: string;
  /** How long the endpoint asked to be left alone; null when it did not. */
  readonly retryAfterMs: number | null;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? 0;
    this.details = facts.details ?? [];
    this.parameter = facts.parameter ?? null;
    this.endpoint = facts.endpoint;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}
