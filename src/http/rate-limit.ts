// A token bucket for each client address: it fills at a steady rate up to a burst, and each request takes one.

type Bucket = { tokens: number; filledAt: number };

/** Addresses that are remembered; the one that was seen longest ago gives way. */
const MOST_ADDRESSES = 8192;

export class RateLimit {
  readonly #rate: number;
  readonly #burst: number;
  readonly #now: () => number;
  /** In the order in which they were last seen. */
  readonly #buckets = new Map<string, Bucket>();

  /** `rate` a second; `now` in milliseconds. */
  constructor(rate: number, burst: number, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#burst = burst;
    this.#now = now;
  }

  /** Null when the request may pass, else the whole seconds until the next one may. */
  secondsToWait(address: string): number | null {
    const name = bucketName(address);
    const now = this.#now();
    const bucket = this.#buckets.get(name) ?? { tokens: this.#burst, filledAt: now };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * this.#rate);
    bucket.filledAt = now;
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > MOST_ADDRESSES) this.#buckets.delete(this.#buckets.keys().next().value as string);
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / this.#rate));
    bucket.tokens -= 1;
    return null;
  }
}

/** Programs on this machine are its operator's own. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address) || address === "localhost";
}

/** A subscriber of IPv6 has a whole /64 to call from. */
function bucketName(address: string): string {
  const plain = address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}
