// Binds the RPC door to a port, with its WebSocket.

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

/** Port 0 takes a free one; the server says which. */
export function serveRpc(app: RpcApp, { host, port }: { readonly host: string; readonly port: number }): RpcServer {
  let sockets = 0;
  const server = Bun.serve<Connection>({
    hostname: host,
    port,
    development: false,
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    fetch(request, self) {
      if (new URL(request.url).pathname !== "/websocket") return app.fetch(request);
      if (sockets >= MOST_SOCKETS) return new Response("too many connections\n", { status: 503 });
      if (self.upgrade(request, { data: { socket: null } })) return undefined;
      return new Response("Bad Request\n", { status: 400 });
    },
    websocket: {
      maxPayloadLength: BODY_LIMIT,
      idleTimeout: 2 * IDLE_SECONDS,
      sendPings: true,
      open(connection) {
        sockets += 1;
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
        sockets -= 1;
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
      await server.stop(true);
    },
  };
}
