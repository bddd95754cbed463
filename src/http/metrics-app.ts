// The door for those who run the node: its numbers, and the two probes. It listens on loopback unless told otherwise.

import type { Fetch } from "./guard.ts";
import type { Health } from "./health.ts";
import { counter, gauge, info, type Meter } from "./metrics.ts";

/** Looked up anew for each scrape; null where a thing is not known. */
export type Figures = {
  readonly version: string;
  readonly chainId: string;
  readonly height: bigint | null;
  readonly earliest: bigint | null;
  readonly headTime: Date | null;
  readonly storeBytes: number | null;
  readonly walBytes: number | null;
  readonly waitingTxs: number;
  readonly chainFailed: boolean;
  readonly loopDelayMs: number;
  readonly startedAt: Date;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly openFiles: number | null;
};

export function createMetricsApp(meter: Meter, health: Health, figures: () => Promise<Figures>): { fetch: Fetch } {
  return {
    async fetch(request) {
      const { pathname } = new URL(request.url, "http://localhost");
      if (request.method !== "GET" && request.method !== "HEAD") {
        return plain("this path answers GET, HEAD only\n", 405, { allow: "GET, HEAD" });
      }
      if (pathname === "/healthz") return health.live();
      if (pathname === "/readyz") return await health.ready(request);
      if (pathname !== "/metrics") return plain("not found\n", 404);
      return plain(meter.print() + print(await figures()), 200, { "content-type": "text/plain; version=0.0.4" });
    },
  };
}

function print(figures: Figures): string {
  const { height, earliest, headTime } = figures;
  const age = headTime === null ? null : (Date.now() - headTime.getTime()) / 1000;
  const { version, chainId } = figures;
  return [
    info("orrery_info", "The program and its chain.", { version, chain_id: chainId }),
    known("orrery_head_height", "The newest height.", height === null ? null : Number(height)),
    known("orrery_earliest_height", "The oldest height that is kept.", earliest === null ? null : Number(earliest)),
    known("orrery_head_age_seconds", "The age of the newest block.", age),
    known("orrery_store_bytes", "The size of the store.", figures.storeBytes),
    known("orrery_wal_bytes", "The size of the store's write-ahead log.", figures.walBytes),
    gauge("orrery_waiting_transactions", "Transactions that wait for a block.", figures.waitingTxs),
    gauge("orrery_chain_failed", "1 when the chain has stopped for a fault.", figures.chainFailed ? 1 : 0),
    gauge("orrery_event_loop_delay_seconds", "How late the event loop is.", figures.loopDelayMs / 1000),
    gauge("process_start_time_seconds", "When the process began.", figures.startedAt.getTime() / 1000),
    counter("process_cpu_seconds_total", "Processor time, user and system.", figures.cpuSeconds),
    gauge("process_resident_memory_bytes", "Resident memory.", figures.residentBytes),
    gauge("process_heap_bytes", "Memory of the JavaScript heap.", figures.heapBytes),
    known("process_open_fds", "Open file descriptors.", figures.openFiles),
  ].join("");
}

function known(name: string, about: string, value: number | null): string {
  return value === null ? "" : gauge(name, about, value);
}

function plain(text: string, status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, {
    status,
    headers: { "content-type": "text/plain", "cache-control": "no-store", ...headers },
  });
}
