// What one client may ask of a door, and what all of them together may. Every figure can be set by the operator.

export type Limits = {
  /** The longest URL, in characters; longer ones are 414. */
  readonly maxUrl: number;
  /** The largest body, in bytes; larger ones are 413. */
  readonly maxBody: number;
  /** The largest page, in bytes before compression; a larger one ends earlier. */
  readonly maxAnswer: number;
  /** How deep the JSON of a body may be nested; deeper ones are 400. */
  readonly maxDepth: number;
  /** How long a body may take to come, in milliseconds; slower ones are 408. */
  readonly bodyTimeoutMs: number;
  /** Requests with a body that may be under way at once. */
  readonly maxInFlight: number;
  /** Reads of single things, and of lists and searches, that may be under way at once. */
  readonly maxReads: number;
  readonly maxScans: number;
  /** Requests that may wait for a place in each of those classes, and for how long; beyond that 503. */
  readonly maxQueue: number;
  readonly queueWaitMs: number;
  /** How long a read may take, in milliseconds, with what it waited for others; longer ones are 504. */
  readonly readTimeoutMs: number;
  /** Requests a second that one address may make in the long run, or null for any number; beyond that 429. */
  readonly rate: number | null;
  /** Requests that one address may make at once. */
  readonly rateBurst: number;
  /** The header in which a proxy names the client; null where clients connect by themselves. */
  readonly clientAddressHeader: string | null;
  /** The delay of the event loop, in milliseconds, from which requests are turned away; null for never. */
  readonly shedDelayMs: number | null;
};

export const DEFAULT_LIMITS: Limits = {
  maxUrl: 8192,
  maxBody: 256 * 1024,
  maxAnswer: 8 * 1024 * 1024,
  maxDepth: 32,
  bodyTimeoutMs: 10_000,
  maxInFlight: 256,
  maxReads: 64,
  maxScans: 4,
  maxQueue: 128,
  queueWaitMs: 250,
  readTimeoutMs: 5000,
  rate: 100,
  rateBurst: 200,
  clientAddressHeader: null,
  shedDelayMs: 200,
};
