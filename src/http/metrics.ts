// What the doors did, in numbers, printed in Prometheus' text format (0.0.4). Recording one answer takes some tens of
// nanoseconds: plain fields and a short array for each operation. See docs/decisions for why no library does it.

/** Upper bounds of the latency buckets, in seconds. */
const BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

class Series {
  readonly statuses = new Map<number, number>();
  readonly buckets = new Float64Array(BOUNDS.length + 1);
  seconds = 0;
  bytes = 0;
  rows = 0;

  record(status: number, milliseconds: number, bytes: number, rows: number): void {
    const seconds = milliseconds / 1000;
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket += 1;
    this.buckets[bucket] = (this.buckets[bucket] as number) + 1;
    this.seconds += seconds;
    this.bytes += bytes;
    this.rows += rows;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}

export class Meter {
  /** Requests that have come and are not answered yet. */
  inFlight = 0;
  readonly #operations = new Map<string, Series>();

  /** `bytes` is the size of the body, as far as it is known without counting; `rows` what was read for it. */
  record(operation: string, status: number, milliseconds: number, bytes: number, rows = 0): void {
    let series = this.#operations.get(operation);
    if (series === undefined) {
      series = new Series();
      this.#operations.set(operation, series);
    }
    series.record(status, milliseconds, bytes, rows);
  }

  print(): string {
    const all = [...this.#operations].sort(([a], [b]) => (a < b ? -1 : 1));
    const statuses = all.flatMap(([operation, { statuses }]) =>
      [...statuses].map(([status, count]) => sample({ operation, status: String(status) }, count)),
    );
    const bytes = all.map(([operation, series]) => sample({ operation }, series.bytes));
    const rows = all.map(([operation, series]) => sample({ operation }, series.rows));
    return [
      family("orrery_requests_total", "counter", "Answers by operation and status.", statuses),
      family("orrery_response_bytes_total", "counter", "Bytes of bodies before compression.", bytes),
      family("orrery_rows_read_total", "counter", "Records that were asked of the store for answers.", rows),
      histogram("orrery_request_seconds", "Time from request to answer.", all),
      gauge("orrery_requests_in_flight", "Requests that are not answered yet.", this.inFlight),
    ].join("");
  }
}

export function gauge(name: string, about: string, value: number): string {
  return family(name, "gauge", about, [sample({}, value)]);
}

export function counter(name: string, about: string, value: number): string {
  return family(name, "counter", about, [sample({}, value)]);
}

/** One sample of value 1 whose labels say something that is no number. */
export function info(name: string, about: string, labels: Labels): string {
  return family(name, "gauge", about, [sample(labels, 1)]);
}

type Labels = Readonly<Record<string, string>>;
/** What stands behind the name of the family. */
type Sample = { readonly suffix: string; readonly text: string };

function sample(labels: Labels, value: number, suffix = ""): Sample {
  const pairs = Object.entries(labels).map(([name, text]) => `${name}="${escaped(text)}"`);
  return { suffix, text: `${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}` };
}

function family(name: string, type: string, about: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ suffix, text }) => `${name}${suffix}${text}\n`);
  return `# HELP ${name} ${about}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function histogram(name: string, about: string, all: readonly [string, Series][]): string {
  const samples = all.flatMap(([operation, { buckets, seconds }]) => {
    let below = 0;
    const cumulative = [...buckets].map((count, bucket) => {
      below += count;
      return sample({ operation, le: String(BOUNDS[bucket] ?? "+Inf") }, below, "_bucket");
    });
    return [...cumulative, sample({ operation }, seconds, "_sum"), sample({ operation }, below, "_count")];
  });
  return family(name, "histogram", about, samples);
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
