// HEAD is what GET would answer, without the body: the same headers, and the length that the body would have.

import type { Fetch } from "./ask.ts";

export async function answerHead(request: Request, fetch: Fetch): Promise<Response> {
  const response = await fetch(new Request(request, { method: "GET" }));
  const { byteLength } = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  if (response.status !== 304) headers.set("content-length", String(byteLength));
  return new Response(null, { status: response.status, headers });
}
