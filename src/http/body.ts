// Which bodies the operations take: text that says what it is, within the limits.

import { type BodyLimits, readBodyText } from "../api/body.ts";
import { ApiError, CODE } from "../api/errors.ts";

const TEXTUAL = /^(?:application\/(?:[\w.+-]+\+)?json|text\/[\w.+-]+)\s*(?:;|$)/i;

/** Throws 415 for a body that says it is neither JSON nor text or that is compressed, and what reading it throws. */
export async function readBody(request: Request, limits: BodyLimits): Promise<string> {
  const type = request.headers.get("content-type");
  if (type !== null && type.trim() !== "" && !TEXTUAL.test(type.trim())) {
    throw new ApiError(CODE.invalidArgument, `content-type: ${type} is neither JSON nor text`, 415);
  }
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new ApiError(CODE.invalidArgument, `content-encoding: ${encoding} is not accepted`, 415);
  }
  return readBodyText(request, limits);
}
