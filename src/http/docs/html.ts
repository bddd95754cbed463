// A page of the node: one file without any outside part, and the policy that holds a browser to it.

import { base64 } from "@scure/base";
import { utf8Encode } from "../../codec/bytes.ts";
import { sha256 } from "../../codec/hash.ts";

export type Page = {
  readonly title: string;
  readonly css: string;
  /** Empty for a page without one. */
  readonly script: string;
  /** HTML. */
  readonly body: string;
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

export function htmlOf({ title, css, script, body }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${ICON}">
<style>${css}</style>
</head>
<body>
${body}
${script === "" ? "" : `<script>${script}</script>`}
</body>
</html>
`;
}

/** Only the page's own style and script run, and they may speak with this node alone. */
export function contentPolicy({ css, script }: Pick<Page, "css" | "script">): string {
  return [
    "default-src 'none'",
    `style-src ${hashSource(css)}`,
    `script-src ${script === "" ? "'none'" : hashSource(script)}`,
    "connect-src 'self'",
    "img-src data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashSource(text: string): string {
  return `'sha256-${base64.encode(sha256(utf8Encode(text)))}'`;
}

/** Three bodies on their orbits. */
export const MARK = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5"><circle cx="16" cy="16" r="13.5" opacity=".35"/><circle cx="16" cy="16" r="8" opacity=".6"/><g fill="currentColor" stroke="none"><circle cx="16" cy="16" r="3.2"/><circle cx="25.5" cy="6.5" r="2.4"/><circle cx="9.2" cy="20.2" r="1.9"/></g></svg>`;

const ICON = `data:image/svg+xml,${encodeURIComponent(
  MARK.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ').replaceAll("currentColor", "#5b5bd6"),
)}`;
