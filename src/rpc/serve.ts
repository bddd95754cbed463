// Binds the RPC door to a port, with its WebSocket.

import type { ServerWebSocket } from "bun";
import { stopServer } from "../stop-server.ts";
import type { RpcApp } from "./app.ts";
import { BODY_LIMIT } from "./post.ts";
import type { Socket } from "./socket.ts";

export type RpcServer = { readonly url: string; readonly port: number; stop(): Promise<void> };

type Connection = { socket: Socket | null };

/** The reference's limit of open connections, here of WebSockets. */
const MOST_SOCKETS = 900;
/** What may lie unsent for one connection before it counts as one whose reader does not keep up. */
const MOST_UNSENT_BYTES = 4 * 1024 * 1024;
/** A request may wait this long for its block. */
const IDLE_SECONDS = 30;

/** Asks for the address of a connection only where it must be known. */
type GuardedApp = Omit<RpcApp, "fetch"> & {
  fetch(request: Request, addressOf: (request: Request) => string | null): Response | Promise<Response>;
};

/** Port 0 takes a free one; the server says which. */
export function serveRpc(app: GuardedApp, { host, port }: { readonly host: string; readonly port: number }): RpcServer {
  const sockets = new Set<ServerWebSocket<Connection>>();
  const addressOf = (request: Request): string | null => server.requestIP(request)?.address ?? null;
  const server = Bun.serve<Connection>({
    hostname: host,
    port,
    development: false,
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    fetch(request, self): Response | Promise<Response> | undefined {
      if (new URL(request.url, "http://localhost").pathname !== "/websocket") return app.fetch(request, addressOf);
      if (sockets.size >= MOST_SOCKETS) return new Response("too many connections\n", { status: 503 });
      if (self.upgrade(request, { data: { socket: null } })) return undefined;
      return new Response("Bad Request\n", { status: 400 });
    },
    websocket: {
      maxPayloadLength: BODY_LIMIT,
      idleTimeout: 2 * IDLE_SECONDS,
      sendPings: true,
      open(connection) {
        sockets.add(connection);
        connection.data.socket = app.connect((text) => {
          connection.send(text);
          return connection.getBufferedAmount() < MOST_UNSENT_BYTES;
        });
      },
      message(connection, frame) {
        const text = typeof frame === "string" ? frame : new TextDecoder().decode(frame);
        if (connection.data.socket?.receive(text) === false) connection.close(1013, "too many requests at once");
      },
      close(connection) {
        sockets.delete(connection);
        connection.data.socket?.close();
      },
    },
  });
  const bound = server.port as number;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound}`,
    port: bound,
    async stop() {
      app.close();
      // A WebSocket has no end of its own: its client is told to go elsewhere.
      for (const socket of sockets) socket.close(1001, "the node is stopping");
      await stopServer(server);
    },
  };
}
