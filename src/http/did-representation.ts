// Which form of a resolution the caller wants, by the media types of W3C DID Resolution and those of its forerunners.

import { ResolutionError } from "../api/did-resolution.ts";

export type Representation = {
  /** result: the whole resolution. document: the document alone. dereferencing: what a DID URL stands for. */
  readonly kind: "result" | "document" | "dereferencing" | "uri-list";
  readonly contentType: string;
  /** The single words of DID Core 1.0 in the place of error objects. */
  readonly usesWords: boolean;
};

export const RESULT = representation("result", "application/did-resolution");
const DEREFERENCING = representation("dereferencing", "application/did-url-dereferencing");

const LD_RESULT = representation("result", 'application/ld+json;profile="https://w3id.org/did-resolution"', true);
const LD_DEREFERENCING = representation(
  "dereferencing",
  'application/ld+json;profile="https://w3id.org/did-url-dereferencing"',
  true,
);

const BY_TYPE: ReadonlyMap<string, Representation> = new Map(
  [
    RESULT,
    DEREFERENCING,
    representation("result", "application/ld+json", true),
    representation("result", "application/json", true),
    representation("document", "application/did"),
    representation("document", "application/did+ld+json"),
    representation("document", "application/did+json"),
    representation("uri-list", "text/uri-list"),
  ].map((each) => [each.contentType, each]),
);

/** `isPartial`: the DID URL asks for less than the document, so that by default its part is given. */
export function chooseRepresentation(accept: string | null, isPartial: boolean): Representation {
  const byDefault = isPartial ? DEREFERENCING : RESULT;
  const wanted = (accept ?? "").split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map(parseRange);
  const given = wanted.filter(({ type, quality }) => type !== "" && quality > 0);
  if (accept === null || accept.trim() === "") return byDefault;
  for (const { type, profile } of given.sort((a, b) => b.quality - a.quality)) {
    if (type === "*/*" || type === "application/*") return byDefault;
    const found = profile === null ? BY_TYPE.get(type) : withProfile(type, profile);
    if (found !== undefined) return isPartial && found.kind === "result" ? partial(found) : found;
  }
  throw new ResolutionError("REPRESENTATION_NOT_SUPPORTED", "accept: none of the media types is known here");
}

/** Whoever asks for a whole result of a DID URL that means a part gets the part, in the form that goes with it. */
function partial(found: Representation): Representation {
  return found === RESULT ? DEREFERENCING : { ...found, kind: "dereferencing" };
}

function withProfile(type: string, profile: string): Representation | undefined {
  if (type !== "application/ld+json") return BY_TYPE.get(type);
  if (profile.includes("did-url-dereferencing")) return LD_DEREFERENCING;
  return profile.includes("did-resolution") ? LD_RESULT : BY_TYPE.get(type);
}

type Range = { readonly type: string; readonly quality: number; readonly profile: string | null };

function parseRange(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  const parameter = (name: string) =>
    parameters.find((each) => each.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
  const quality = Number(parameter("q") ?? 1);
  return {
    type: type.toLowerCase(),
    quality: quality >= 0 && quality <= 1 ? quality : 0,
    profile: parameter("profile") ?? null,
  };
}

function representation(kind: Representation["kind"], contentType: string, usesWords = false): Representation {
  return { kind, contentType, usesWords };
}
