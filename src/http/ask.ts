// Asking the node itself, through its own door: what the docs show is then what a client gets.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The body of an answer; null unless the status is 200 and the body is of a size that fits into a document. */
export type Ask = (path: string, body?: string) => Promise<Json>;

export type Fetch = (request: Request) => Response | Promise<Response>;

/** A block may have megabytes. */
const LARGEST_ANSWER = 32 * 1024;

/** Every answer is of the one height, so that they fit together. */
export function askAt(fetch: Fetch, height: bigint): Ask {
  const headers = { "x-cosmos-block-height": String(height), "content-type": "application/json" };
  return async (path, body) => {
    const init = body === undefined ? { headers } : { method: "POST", headers, body };
    const response = await fetch(new Request(`http://localhost${path}`, init));
    if (response.status !== 200) return null;
    const text = await response.text();
    return text.length > LARGEST_ANSWER ? null : (JSON.parse(text) as Json);
  };
}
