// Binds the HTTP door to a port.

import type { HttpApp } from "./app.ts";

export type ServeOptions = { readonly host: string; readonly port: number };
export type HttpServer = { readonly url: string; readonly port: number; stop(): Promise<void> };

/** Port 0 takes a free one; the server says which. */
export function serveHttp(app: HttpApp, { host, port }: ServeOptions): HttpServer {
  const server = Bun.serve({ hostname: host, port, fetch: app.fetch, development: false, reusePort: false });
  const bound = server.port as number;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound}`,
    port: bound,
    stop: async () => {
      await server.stop(false);
    },
  };
}
