// Which compression a client takes, by the rules of the Accept-Encoding header (RFC 9110, 12.5.3).

/** In the order of our own preference: what costs less time for more saved bytes comes first. */
export const CODINGS = ["zstd", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** Null for an answer as it is: nothing is said, nothing that we have is taken, or it is what is wanted most. */
export function codingFor(accept: string | null): Coding | null {
  if (accept === null) return null;
  // A client says the same every time, and there are few kinds of clients.
  const known = CHOSEN.get(accept);
  if (known !== undefined) return known;
  const chosen = choose(accept);
  if (CHOSEN.size >= MOST_REMEMBERED) CHOSEN.clear();
  CHOSEN.set(accept, chosen);
  return chosen;
}

const MOST_REMEMBERED = 64;
const CHOSEN = new Map<string, Coding | null>();

function choose(accept: string): Coding | null {
  const qualities = new Map(accept.split(",").map(parseItem));
  const qualityOf = (coding: Coding): number => qualities.get(coding) ?? qualities.get("*") ?? 0;
  let best: Coding | null = null;
  for (const coding of CODINGS) if (qualityOf(coding) > (best === null ? 0 : qualityOf(best))) best = coding;
  if (best === null) return null;
  return (qualities.get("identity") ?? 0) > qualityOf(best) ? null : best;
}

function parseItem(item: string): [name: string, quality: number] {
  const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const quality = given === undefined ? 1 : QUALITY.test(given) ? Number(given) : 0;
  return [name === "x-gzip" ? "gzip" : name, quality];
}

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
