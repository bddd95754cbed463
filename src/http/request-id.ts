// Ids that tie an answer to the lines about it in the logs of whoever passed the request on.

const SANE = /^[A-Za-z0-9._:/+=-]{1,128}$/;
const START = crypto.randomUUID().slice(0, 8);
let made = 0;

/** The given id if it is harmless in a header and in a log; otherwise a new one. */
export function requestIdFor(given: string | null): string {
  if (given !== null && SANE.test(given)) return given;
  made += 1;
  return `${START}-${made.toString(36)}`;
}
