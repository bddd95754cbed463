// Makes the docs page live: values of this chain in the forms, and answers in place.

const SHOWN_HEADERS = ["x-cosmos-block-height", "x-chain-id", "x-earliest-height", "x-latest-height", "retry-after"];
const base = new URL("./", location.href);

for (const element of document.querySelectorAll(".needs-script")) element.hidden = false;
for (const form of document.querySelectorAll("form[data-operation]")) prepare(form);
followReading();
fillExamples();

function prepare(form) {
  const clear = make("button", { type: "button", className: "quiet", textContent: "Clear" });
  clear.addEventListener("click", () => {
    form.reset();
    for (const field of form.elements) if (field.name) field.value = "";
    resultOf(form).replaceChildren();
  });
  form.querySelector(".actions").append(clear);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}

/** The examples of the document were asked of this node, so they work here. */
async function fillExamples() {
  const response = await fetch(new URL("openapi.json", base));
  if (!response.ok) return;
  const { paths } = await response.json();
  for (const methods of Object.values(paths)) {
    for (const entry of Object.values(methods)) {
      for (const operation of entry["x-operations"] ?? []) fill(operation);
    }
  }
  document.documentElement.dataset.ready = "";
}

function fill({ id, example }) {
  const form = document.querySelector(`form[data-operation="${id}"]`);
  if (form === null || example === null || form.dataset.filled !== undefined) return;
  form.dataset.filled = "";
  for (const [name, value] of Object.entries(example.parameters)) {
    const field = form.elements.namedItem(name);
    if (field !== null && field.value === "" && !name.startsWith("pagination.")) field.value = value;
  }
  const body = form.querySelector("[data-body]");
  if (body !== null && example.body !== null) body.value = JSON.stringify(JSON.parse(example.body), null, 2);
}

function requestOf(form) {
  const url = new URL(form.dataset.path.slice(1), base);
  for (const [name, value] of new FormData(form)) {
    const field = form.elements.namedItem(name);
    if (value !== "" || field.required) url.searchParams.append(name, value);
  }
  const headers = {};
  const height = document.getElementById("height").value.trim();
  if (height !== "") headers["x-cosmos-block-height"] = height;
  const body = form.querySelector("[data-body]")?.value;
  if (body !== undefined) headers["content-type"] = "application/json";
  const address = url.href.replaceAll("%3A", ":").replaceAll("%2F", "/");
  return { address, init: { method: form.dataset.method, headers, body } };
}

async function send(form) {
  const { address, init } = requestOf(form);
  const button = form.querySelector("button");
  button.disabled = true;
  const parts = [curlPart(address, init)];
  try {
    const began = performance.now();
    const response = await fetch(address, init);
    const text = await response.text();
    const took = performance.now() - began;
    parts.push(statusPart(response, text, took), answerPart(text));
  } catch (error) {
    const line = make("p", { className: "status failed" });
    line.append(make("b", { textContent: "No answer" }), ` ${error.message}`);
    parts.push(line);
  }
  button.disabled = false;
  resultOf(form).replaceChildren(...parts);
}

function curlPart(address, { method, headers, body }) {
  const words = ["curl", "-s"];
  for (const [name, value] of Object.entries(headers)) words.push("-H", quoted(`${name}: ${value}`));
  if (method === "POST") words.push("-d", quoted(body));
  words.push(quoted(address));
  const line = words.join(" ");
  const row = make("div", { className: "curl" });
  const copy = make("button", { type: "button", className: "quiet", textContent: "Copy" });
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(line);
    copy.textContent = "Copied";
    setTimeout(() => {
      copy.textContent = "Copy";
    }, 1500);
  });
  row.append(make("pre", { textContent: line }), copy);
  return row;
}

/** For a shell: between single quotes, and those inside left and entered again. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function statusPart(response, text, took) {
  const line = make("p", { className: response.ok ? "status" : "status failed" });
  line.append(make("b", { textContent: `${response.status} ${response.statusText}`.trim() }));
  line.append(make("span", { textContent: `${took.toFixed(0)} ms, ${new Blob([text]).size} bytes` }));
  for (const name of SHOWN_HEADERS) {
    const value = response.headers.get(name);
    if (value === null) continue;
    const shown = make("span", { textContent: `${name} ` });
    shown.append(make("code", { textContent: value }));
    line.append(shown);
  }
  return line;
}

function answerPart(text) {
  const answer = make("pre", { className: "answer", tabIndex: 0 });
  answer.setAttribute("aria-label", "Answer");
  try {
    answer.append(...coloured(JSON.stringify(JSON.parse(text), null, 2)));
  } catch {
    answer.textContent = text;
  }
  return answer;
}

/** Names, texts and words of pretty JSON in elements of their own; long answers stay plain, for the browser's sake. */
function coloured(json) {
  if (json.length > 200_000) return [json];
  const parts = [];
  let from = 0;
  for (const match of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d+\b/g)) {
    parts.push(json.slice(from, match.index));
    const kind = match[1] === undefined ? "json-word" : match[2] === undefined ? "json-text" : "json-name";
    parts.push(make("span", { className: kind, textContent: match[1] ?? match[0] }), match[2] ?? "");
    from = match.index + match[0].length;
  }
  return [...parts, json.slice(from)];
}

/** Marks the link of the operation that is being read. */
function followReading() {
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        for (const link of links.values()) link.removeAttribute("aria-current");
        links.get(target.id)?.setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-15% 0px -75% 0px" },
  );
  for (const section of document.querySelectorAll(".operation")) observer.observe(section);
}

function resultOf(form) {
  return form.parentElement.querySelector(".result");
}

function make(name, properties) {
  return Object.assign(document.createElement(name), properties);
}
