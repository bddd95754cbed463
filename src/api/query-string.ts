// The query string as names and raw values: values are decoded only where an operation knows the name, so that
// unknown parameters are ignored whatever they hold.

import { invalid } from "./errors.ts";

export type QueryParameter = { readonly name: string; readonly raw: string };

/** `query` is what stands behind the question mark. */
export function parseQuery(query: string): QueryParameter[] {
  const parameters: QueryParameter[] = [];
  let start = 0;
  while (start < query.length) {
    let end = query.indexOf("&", start);
    if (end === -1) end = query.length;
    if (end > start) {
      const equals = query.indexOf("=", start);
      const split = equals === -1 || equals > end ? end : equals;
      parameters.push({ name: decodeName(query.slice(start, split)), raw: query.slice(split + 1, end) });
    }
    start = end + 1;
  }
  return parameters;
}

/** Throws a 400 that names the parameter when the value is not valid percent-encoded UTF-8. */
export function decodeValue(parameter: QueryParameter): string {
  if (isPlain(parameter.raw)) return parameter.raw;
  try {
    return decoded(parameter.raw);
  } catch {
    const [bad] = BAD_ESCAPE.exec(parameter.raw) ?? [];
    const reason = bad === undefined ? "the escapes are not UTF-8" : `invalid URL escape ${JSON.stringify(bad)}`;
    throw invalid(parameter.name, reason);
  }
}

const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2}).{0,2}/;

/** A name that cannot be decoded is no name that we know: it stays as it is and is ignored later. */
function decodeName(raw: string): string {
  if (isPlain(raw)) return raw;
  try {
    return decoded(raw);
  } catch {
    return raw;
  }
}

function isPlain(raw: string): boolean {
  return !raw.includes("%") && !raw.includes("+");
}

function decoded(raw: string): string {
  return decodeURIComponent(raw.includes("+") ? raw.replaceAll("+", " ") : raw);
}
