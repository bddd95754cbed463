// Whether whoever asks would rather read a page than JSON, by the rules of the Accept header (RFC 9110, 12.5.1).

/** Programs that say nothing, or take anything, get JSON. */
export function prefersHtml(accept: string | null): boolean {
  if (accept === null) return false;
  const ranges = accept.split(",").map(parseRange);
  const html = qualityOf(ranges, ["text/html", "application/xhtml+xml"], ["text/*"]);
  return html > 0 && html >= qualityOf(ranges, ["application/json"], ["application/*", "*/*"]) && isNamed(ranges);
}

type MediaRange = { readonly type: string; readonly quality: number };

function parseRange(text: string): MediaRange {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  const value = quality === undefined ? 1 : Number(quality.slice(2));
  return { type, quality: value >= 0 && value <= 1 ? value : 0 };
}

/** The most specific mention counts. */
function qualityOf(ranges: readonly MediaRange[], exact: readonly string[], wild: readonly string[]): number {
  const named = ranges.filter(({ type }) => exact.includes(type));
  const found = named.length > 0 ? named : ranges.filter(({ type }) => wild.includes(type));
  return Math.max(0, ...found.map(({ quality }) => quality));
}

function isNamed(ranges: readonly MediaRange[]): boolean {
  return ranges.some(({ type }) => type === "text/html" || type === "application/xhtml+xml");
}
