// Reads the body of a request, and no more of it than a body may have.

import { ApiError, CODE, invalid } from "../api/errors.ts";

const MAX_BODY = 256 * 1024;
const TEXTUAL = /^(?:application\/(?:[\w.+-]+\+)?json|text\/[\w.+-]+)\s*(?:;|$)/i;

/** Throws 413 for a body that is too large, 415 for one that says it is neither JSON nor text, 400 for broken text. */
export async function readBody(request: Request): Promise<string> {
  const type = request.headers.get("content-type");
  if (type !== null && type.trim() !== "" && !TEXTUAL.test(type.trim())) {
    throw new ApiError(CODE.invalidArgument, `content-type: ${type} is neither JSON nor text`, 415);
  }
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY) throw tooLarge();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > MAX_BODY) throw tooLarge();
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw invalid("body", "not UTF-8 text");
  }
}

function tooLarge(): ApiError {
  return new ApiError(CODE.resourceExhausted, `body: larger than ${MAX_BODY} bytes`, 413);
}
