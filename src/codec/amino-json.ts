// JSON text exactly as the reference's standard library writes it: signatures cover it, and logs are compared with it.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Compact; members in the order in which they are given. */
export function goJson(value: Json): string {
  return JSON.stringify(value).replace(ESCAPED, (char) => ESCAPES[char] ?? char);
}

/** Compact, with the members of every object in byte order of their names: the form that is signed. */
export function sortedJson(value: Json): string {
  return goJson(sorted(value));
}

// Inside JSON text these stand only within strings, or as the short escapes that Go spells out.
const ESCAPED = /\\\\|[<>&\u2028\u2029]|\\b|\\f/g;
const ESCAPES: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
  "\\b": "\\u0008",
  "\\f": "\\u000c",
};

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
