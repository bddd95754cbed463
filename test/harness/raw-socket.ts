// Bytes over a plain connection: for requests that no HTTP client would send.

import { createConnection } from "node:net";

export type RawReply = {
  /** The status of each answer that came; none where the connection was closed without one. */
  readonly statuses: readonly number[];
  /** Of the first answer that is no interim one, their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
  readonly milliseconds: number;
};

export type RawOptions = {
  /** How long to wait for the server to close. */
  readonly waitMs?: number;
  /** Sent one at a time after the first bytes, with this much time between. */
  readonly drip?: { readonly bytes: string; readonly everyMs: number };
};

export async function sendRaw(url: string, bytes: string | Uint8Array, options: RawOptions = {}): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const { drip, waitMs = 2000 } = options;
  const began = performance.now();
  const chunks: Uint8Array[] = [];
  const socket = createConnection({ host: hostname, port: Number(port) });
  // A server that refuses may reset the connection while we still write to it.
  socket.on("error", () => {});
  socket.on("data", (chunk) => chunks.push(chunk as Uint8Array));
  socket.write(bytes);
  let sent = 0;
  const next = () => socket.write(drip?.bytes[sent++ % drip.bytes.length] ?? "");
  const dripping = drip === undefined ? undefined : setInterval(next, drip.everyMs);
  const closed = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), waitMs);
    const end = () => {
      clearTimeout(timer);
      resolve(true);
    };
    socket.on("end", end);
    socket.on("close", end);
  });
  clearInterval(dripping);
  socket.destroy();
  return { ...read(Buffer.concat(chunks).toString("utf8")), closed, milliseconds: performance.now() - began };
}

/** A request with the two headers that every one has, and a body with its length if there is one. */
export function requestText(line: string, headers: readonly string[] = [], body?: string): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`${line} HTTP/1.1`, "Host: node", "Connection: close", ...headers, ...length, "", body ?? ""].join("\r\n");
}

function read(text: string): Pick<RawReply, "statuses" | "headers" | "body"> {
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]));
  const interim = /^HTTP\/1\.1 1\d\d/.test(text) ? text.indexOf("\r\n\r\n") + 4 : 0;
  const end = text.indexOf("\r\n\r\n", interim);
  const lines = (end === -1 ? "" : text.slice(interim, end)).split("\r\n").slice(1);
  const headers = new Map(
    lines.map((line) => [line.split(":")[0]!.toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  // A second answer may follow: to what came behind the request on the same connection.
  const rest = Buffer.from(end === -1 ? "" : text.slice(end + 4));
  const length = Number(headers.get("content-length") ?? rest.length);
  return { statuses, headers, body: rest.subarray(0, length).toString() };
}
