// The answer to a read: with a strong tag, without a body for whoever has it already, compressed where that is wanted
// and worth it. The tag comes from the content alone, so that it outlives blocks which did not touch what was read.

import type { Bytes } from "../codec/bytes.ts";
import { type Coding, codingFor } from "./accept-encoding.ts";
import type { Text } from "./print-body.ts";

/** What is done with the bytes of an answer; by the runtime, which is faster at it than any code of ours. */
export type ByteWork = {
  /** Equal for equal bytes, and 64 bits wide: hexadecimal. */
  readonly fingerprint: (bytes: Bytes) => string;
  readonly compress: Readonly<Record<Coding, (bytes: Bytes) => Bytes>>;
};

/** `text` is used up at once; `headers` are copied, but for the tag, which stays in them until the next answer. */
export type ReadAnswer = (request: Request, text: Text, headers: Headers) => Response;

/** From this many bytes on, what compression saves on the way is worth its time. */
const WORTH_COMPRESSING = 1024;

export function readAnswers({ fingerprint, compress }: ByteWork): ReadAnswer {
  return (request, text, headers) => {
    const body = text.bytes;
    const asked = request.headers;
    const coding = body.length < WORTH_COMPRESSING ? null : codingFor(asked.get("accept-encoding"));
    // Each coding is a representation of its own and has its own tag; none is compressed to learn it.
    text.fingerprint ??= fingerprint(body);
    const tag = coding === null ? `"${text.fingerprint}"` : `"${text.fingerprint}-${coding}"`;
    // Here and not on the Response: asking that for its headers costs as much as a third of making it.
    headers.set("etag", tag);
    const known = asked.get("if-none-match");
    if (known !== null && isListed(tag, known)) return unchanged(headers);
    if (coding === null) return new Response(body, { headers });
    const response = new Response(compress[coding](body), { headers });
    response.headers.set("content-encoding", coding);
    return response;
  };
}

/** The weak comparison: a `W/` before a tag does not matter. A tag holds no quotes, so it cannot straddle two others. */
function isListed(tag: string, list: string): boolean {
  return list.includes(tag) || list.trim() === "*";
}

function unchanged(headers: Headers): Response {
  const response = new Response(null, { status: 304, headers });
  response.headers.delete("content-type");
  return response;
}
