// The page at `/`: what this is, which chain it holds, and where to go.

import css from "./docs.css" with { type: "text" };
import { escapeHtml, MARK, type Page } from "./html.ts";

/** The same for programs, as JSON. Heights are null before the first block. */
export type Greeting = {
  readonly name: string;
  readonly version: string;
  readonly chain_id: string;
  readonly earliest_height: string | null;
  readonly latest_height: string | null;
  readonly links: { readonly docs: string; readonly openapi: string };
  readonly first_queries: readonly string[];
};

export function greetingPage(greeting: Greeting): Page {
  const { name, version, chain_id, earliest_height, latest_height, links, first_queries } = greeting;
  const heights = latest_height === null ? "no block yet" : `${earliest_height} to ${latest_height}`;
  const facts: [string, string][] = [
    ["Chain", chain_id],
    ["Heights", heights],
    ["Version", version],
  ];
  const body = `<main class="greeting">
<h1>${MARK}${escapeHtml(name)}</h1>
<p class="lead">A query node for Cosmos-style blockchains: the chain's state at every height, over HTTP and JSON.</p>
<dl>${facts.map(([term, value]) => `<div><dt>${term}</dt><dd>${escapeHtml(value)}</dd></div>`).join("")}</dl>
<p class="ways"><a class="button" href="${relative(links.docs)}">Try the operations</a><a href="${relative(links.openapi)}">openapi.json</a></p>
<h2>First queries</h2>
<ol>${first_queries.map((path) => `<li><a href="${escapeHtml(relative(path))}"><code>${escapeHtml(path)}</code></a></li>`).join("")}</ol>
</main>`;
  return { title: `${name}: ${chain_id}`, css, script: "", body };
}

/** A proxy may serve the node below a path of its own. */
function relative(path: string): string {
  return `.${path}`;
}
