// The page at the root of the door: what can be asked, with links where nothing but a click is needed.

import type { RpcNode } from "./method.ts";
import { methodsOf, SUBSCRIPTION_METHODS } from "./methods.ts";

export function methodListResponse(node: RpcNode): Response {
  const withoutArguments: string[] = [];
  const withArguments: string[] = [];
  for (const { name, parameters } of methodsOf(node).values()) {
    const names = Object.keys(parameters);
    const query = names.map((argument) => `${argument}=_`).join("&amp;");
    if (names.length === 0) withoutArguments.push(`<a href="/${name}">/${name}</a>`);
    else withArguments.push(`<a href="/${name}">/${name}</a>?${query}`);
  }
  const onSocket = Object.entries(SUBSCRIPTION_METHODS).map(([name, names]) => `${name}(${names.join(", ")})`);
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Orrery RPC</title></head><body>
<p>JSON-RPC 2.0 by POST on this address, by URI as below, or on the WebSocket at <code>/websocket</code>.</p>
<h1>Available endpoints</h1>
<p>${withoutArguments.join("<br>\n")}</p>
<h2>Endpoints with arguments</h2>
<p>${withArguments.join("<br>\n")}</p>
<h2>On the WebSocket</h2>
<p>${onSocket.join("<br>\n")}</p>
</body></html>
`;
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}
