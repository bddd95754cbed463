// An endpoint that answers as a test tells it: over a real socket, and it remembers what it was asked.

export type Reply = {
  readonly status?: number;
  /** The height of the answer, and of the endpoint unless `latest` says otherwise. */
  readonly height?: number;
  readonly latest?: number;
  readonly chainId?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Before the answer. */
  readonly delayMs?: number;
};

export type Asked = { readonly path: string; readonly pin: string | null; readonly body: string; readonly at: number };

/** Each once, and the last one for ever. */
export type Script = readonly (Reply | ((asked: Asked) => Reply))[];

export type ScriptedEndpoint = {
  readonly url: string;
  readonly asked: Asked[];
  /** What it answers from now on. */
  answer(...replies: Script): void;
  close(): Promise<void>;
};

const SUPPLY = { supply: [], pagination: { next_key: null, total: "0" } };

export function scriptedEndpoint(...first: Script): ScriptedEndpoint {
  let script = [...first];
  const asked: Asked[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const pin = request.headers.get("x-cosmos-block-height");
      const question = { path: pathname + search, pin, body: await request.text(), at: Date.now() };
      asked.push(question);
      const next = script.length > 1 ? script.shift()! : script[0]!;
      const reply = typeof next === "function" ? next(question) : next;
      if (reply.delayMs !== undefined) await Bun.sleep(reply.delayMs);
      return responseOf(reply);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    answer: (...replies) => {
      script = [...replies];
    },
    close: () => server.stop(true),
  };
}

/** Sends the beginning of an answer and closes the connection. */
export function cutEndpoint(): { readonly url: string; close(): void } {
  const beginning =
    'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\nx-cosmos-block-height: 1\r\nx-chain-id: test-1\r\n\r\n{"sup';
  const socket = { data: (connection: Bun.Socket) => void connection.end(beginning) };
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket });
  return { url: `http://127.0.0.1:${server.port}`, close: () => server.stop(true) };
}

function responseOf({ status = 200, height = 1, latest = height, chainId = "test-1", body = SUPPLY, headers }: Reply) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const own = { "x-cosmos-block-height": String(height), "x-latest-height": String(latest), "x-chain-id": chainId };
  return new Response(text, { status, headers: { ...own, ...headers } });
}

export function errorReply(status: number, code: number, message: string, more: Reply = {}): Reply {
  return { ...more, status, body: { code, message, details: [] } };
}
