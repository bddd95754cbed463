// The docs page: every operation with its parameters in a form. Without JavaScript it is a list to read, and the forms
// of reads still work; the script fills in values of this chain and shows answers in place.

import { type AnyOperation, OPERATIONS } from "../../api/operations.ts";
import { type Parameter, parametersOf } from "../openapi-parameters.ts";
import { topicOf } from "../openapi-topics.ts";
import css from "./docs.css" with { type: "text" };
import script from "./docs.script.js" with { type: "text" };
import { escapeHtml, MARK, type Page } from "./html.ts";

export type DocsFacts = { readonly version: string; readonly chainId: string };

export function docsPage({ version, chainId }: DocsFacts): Page {
  const topics = Map.groupBy(OPERATIONS as readonly AnyOperation[], topicOf);
  const body = `<a class="skip" href="#operations">Skip to the operations</a>
<header class="top">
  <a class="brand" href="./">${MARK}<span>Orrery</span></a>
  <span class="fact">${escapeHtml(version)}</span>
  <span class="fact" id="chain">${escapeHtml(chainId)}</span>
  <label class="height needs-script" hidden>Height <input id="height" inputmode="numeric" pattern="[0-9]*" placeholder="newest" autocomplete="off" size="9"></label>
  <a class="out" href="openapi.json">openapi.json</a>
</header>
<div class="columns">
<nav aria-label="Operations">${[...topics].map(topicLinks).join("")}</nav>
<main id="operations" tabindex="-1">
<h1>The 18 operations</h1>
<p class="lead">Reads over HTTP and JSON, at any kept height. Fill in a form and send it: the request goes to this node. Sixty-four-bit integers are text, bytes are base64, and a mistake of the caller is always 4xx.</p>
<noscript><p class="note">Without JavaScript the forms open the answers as plain JSON.</p></noscript>
${[...topics].map(topicSection).join("\n")}
</main>
</div>`;
  return { title: `Orrery: operations of ${chainId}`, css, script, body };
}

function topicLinks([topic, operations]: [string, AnyOperation[]]): string {
  const links = operations.map(({ id }) => `<li><a href="#${id}">${id}</a></li>`);
  return `<h2>${topic}</h2><ul>${links.join("")}</ul>`;
}

function topicSection([topic, operations]: [string, AnyOperation[]]): string {
  return `<h2 class="topic">${topic}</h2>\n${operations.map(operationSection).join("\n")}`;
}

function operationSection(operation: AnyOperation): string {
  const { id, method, path, summary, chosenBy, ecosystemPath } = operation;
  const number = OPERATIONS.findIndex((each) => each.id === id) + 1;
  const also = ecosystemPath === null ? "" : `<p class="also">Also <code>${escapeHtml(ecosystemPath)}</code></p>`;
  const chosen = chosenBy === null ? "" : `<p class="also">Chosen by <code>${chosenBy}</code></p>`;
  return `<section class="operation" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><span class="number">${number}</span>${escapeHtml(summary)}</h3>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span><code>${path}</code></p>
${chosen}${also}
${operationForm(operation)}
<div class="result" aria-live="polite"></div>
</section>`;
}

/** A form cannot send a JSON body by itself; the script does. */
function operationForm(operation: AnyOperation): string {
  const { id, method, path, chosenBy } = operation;
  const parameters = parametersOf(operation, path).map((parameter) =>
    parameter.name === chosenBy ? { ...parameter, required: true } : parameter,
  );
  const isPaging = ({ name }: Parameter) => name.startsWith("pagination.");
  const own = parameters.filter((parameter) => !isPaging(parameter)).map((each) => field(id, each));
  const paging = parameters.filter(isPaging).map((each) => field(id, each));
  const isRead = method === "GET";
  return `<form data-operation="${id}" data-method="${method}" data-path="${path}"${isRead ? ` action="${path.slice(1)}"` : ""}>
${isRead ? "" : bodyField(id)}${own.join("")}
${paging.length === 0 ? "" : `<details class="paging"><summary>Paging</summary>${paging.join("")}</details>`}
<p class="actions"><button${isRead ? "" : ' class="needs-script" hidden'}>Send</button></p>
</form>`;
}

function field(operation: string, { name, required, description, schema }: Parameter): string {
  const id = `${operation}.${name}`;
  const shared = `id="${id}" name="${name}" aria-describedby="${id}-rule"${required ? " required" : ""}`;
  const control =
    schema.type === "boolean"
      ? `<select ${shared}><option value=""></option><option>true</option><option>false</option></select>`
      : `<input ${shared} autocomplete="off" spellcheck="false"${schema.pattern === undefined ? "" : ' inputmode="numeric"'}>`;
  const mark = required ? ' <span class="required">required</span>' : "";
  return `<div class="field"><label for="${id}"><code>${name}</code>${mark}</label>${control}<p id="${id}-rule" class="rule">${rule(description)}</p></div>`;
}

function bodyField(operation: string): string {
  const id = `${operation}.body`;
  return `<div class="field"><label for="${id}">Body, JSON <span class="required">required</span></label><textarea id="${id}" data-body rows="6" spellcheck="false" required>{"tx": "", "tx_bytes": ""}</textarea><p id="${id}-rule" class="rule">${rule("`tx`: the transaction as JSON text or base64. `tx_bytes`: the raw transaction, base64. Either may be empty, not both.")}</p></div>`;
}

/** Backticks mark code. */
function rule(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
