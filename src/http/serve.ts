// Binds an HTTP door to a port.

import { stopServer } from "../stop-server.ts";
import type { AddressOf, GuardedFetch } from "./guard.ts";

export type ServeOptions = { readonly host: string; readonly port: number };
export type HttpServer = { readonly url: string; readonly port: number; stop(): Promise<void> };

/** Bodies that no limit of ours would read are cut off by the runtime, whatever they are sent to. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;
/** The runtime counts it from the beginning of a request: one that takes longer to come is cut off. */
const IDLE_SECONDS = 15;

/** Port 0 takes a free one; the server says which. */
export function serveHttp(door: { readonly fetch: GuardedFetch }, { host, port }: ServeOptions): HttpServer {
  const addressOf: AddressOf = (request) => server.requestIP(request)?.address ?? null;
  const server = Bun.serve({
    hostname: host,
    port,
    fetch: (request) => door.fetch(request, addressOf),
    development: false,
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: MOST_BODY_BYTES,
  });
  const bound = server.port as number;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound}`,
    port: bound,
    stop: () => stopServer(server),
  };
}
