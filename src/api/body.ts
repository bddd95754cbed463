// Reads the body of a request as text: no more of it than a body may have, and no longer than it may take.

import { ApiError, CODE, invalid } from "./errors.ts";

export type BodyLimits = {
  /** In bytes. */
  readonly maxBody: number;
  readonly bodyTimeoutMs: number;
};

/** Throws 413 for a body that is too large, 408 for one that does not come, 400 for broken text. */
export async function readBodyText(request: Request, { maxBody, bodyTimeoutMs }: BodyLimits): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBody) throw tooLarge(maxBody);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(bodyTimeoutMs)), bodyTimeoutMs);
  });
  try {
    return await Promise.race([collect(request, maxBody), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A length that was not told, or told wrongly, is found out while the body comes. */
async function collect(request: Request, maxBody: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length;
      if (length > maxBody) throw tooLarge(maxBody);
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw invalid("body", "not UTF-8 text");
  }
}

function tooLarge(maxBody: number): ApiError {
  return new ApiError(CODE.resourceExhausted, `body: larger than ${maxBody} bytes`, 413);
}

function tooSlow(milliseconds: number): ApiError {
  return new ApiError(CODE.deadlineExceeded, `body: not complete within ${milliseconds / 1000} s`, 408);
}
