// The errors that a caller can see: a gRPC code, a sentence, and the status that goes with the code.

export const CODE = {
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const;

export type Code = (typeof CODE)[keyof typeof CODE];

const STATUS: Record<Code, number> = {
  [CODE.unknown]: 500,
  [CODE.invalidArgument]: 400,
  [CODE.deadlineExceeded]: 504,
  [CODE.notFound]: 404,
  [CODE.resourceExhausted]: 429,
  [CODE.outOfRange]: 410,
  [CODE.unimplemented]: 501,
  [CODE.internal]: 500,
  [CODE.unavailable]: 503,
};

/** The longest message that is sent: a caller's own input is echoed, but not without end. */
const MESSAGE_LIMIT = 512;
/** The sentences of a failed transaction are longer: they are wrapped more than once. */
const SIMULATION_MESSAGE_LIMIT = 4096;

/** A typed object beside the message, for programs. */
export type ErrorDetail = { readonly "@type": string; readonly [name: string]: string | number };

export type ErrorOptions = { readonly details?: readonly ErrorDetail[]; readonly messageLimit?: number };

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: Code;
  readonly status: number;
  readonly details: readonly ErrorDetail[];

  constructor(code: Code, message: string, status: number = STATUS[code], options: ErrorOptions = {}) {
    super(truncate(message, options.messageLimit ?? MESSAGE_LIMIT));
    this.code = code;
    this.status = status;
    this.details = options.details ?? [];
  }
}

/** The caller's mistake in one parameter: 400, and the message begins with the parameter's name. */
export function invalid(parameter: string, reason: string): ApiError {
  return new ApiError(CODE.invalidArgument, `${parameter}: ${reason}`);
}

export function notFound(reason: string): ApiError {
  return new ApiError(CODE.notFound, reason);
}

/** A height that is not there yet: 400, with the reference's sentence and the range that is kept. */
export function inFuture(parameter: string, height: bigint, earliest: bigint, latest: bigint): ApiError {
  const reason = "cannot query with height in the future; please provide a valid height";
  return invalid(
    parameter,
    `${reason}: ${height} is above the newest one; the kept heights are ${earliest} to ${latest}`,
  );
}

/** A height that was kept once and is not any more: 410, with the range that is kept. */
export function notKept(parameter: string, height: bigint, earliest: bigint, latest: bigint): ApiError {
  return new ApiError(
    CODE.outOfRange,
    `${parameter}: height ${height} is not kept any more; the kept heights are ${earliest} to ${latest}`,
  );
}

/** What a failed simulation says to programs. Integers of 64 bits are text, as everywhere. */
export type SimulationFailure = {
  readonly codespace: string;
  readonly code: number;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  /** The message that failed, counted from zero. */
  readonly messageIndex?: number | undefined;
  /** The sequence that the account expects, when another one was given. */
  readonly expectedSequence?: bigint | undefined;
};

/** The caller's transaction is at fault, so it is 400; the message is the reference's sentence. */
export function simulationFailed(message: string, failure: SimulationFailure): ApiError {
  const { codespace, code, gasWanted, gasUsed, messageIndex, expectedSequence } = failure;
  const detail: ErrorDetail = {
    "@type": "/orrery.tx.v1.SimulationFailure",
    codespace,
    code,
    gas_wanted: String(gasWanted),
    gas_used: String(gasUsed),
    ...(messageIndex === undefined ? {} : { message_index: messageIndex }),
    ...(expectedSequence === undefined ? {} : { expected_sequence: String(expectedSequence) }),
  };
  const options = { details: [detail], messageLimit: SIMULATION_MESSAGE_LIMIT };
  return new ApiError(CODE.invalidArgument, message, STATUS[CODE.invalidArgument], options);
}

export function errorBody({ code, message, details }: ApiError): string {
  return JSON.stringify({ code, message, details });
}

function truncate(message: string, limit: number): string {
  const bytes = new TextEncoder().encode(message);
  if (bytes.length <= limit) return message;
  // A cut inside a character leaves replacement marks at the end; they are dropped with it.
  const kept = new TextDecoder().decode(bytes.subarray(0, limit - 3)).replace(/\uFFFD+$/, "");
  return `${kept}…`;
}
