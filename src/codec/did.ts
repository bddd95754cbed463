// DIDs and DID URLs by the grammar of W3C DID Core 1.0, section 3. They compare case-sensitively, byte by byte.

export type DidUrl = {
  /** The DID alone, without path, query and fragment. */
  readonly did: string;
  readonly method: string;
  /** The parts of the method-specific id between colons; all but the last may be empty. */
  readonly segments: readonly string[];
  /** Empty, or beginning with a slash. */
  readonly path: string;
  /** Without the question mark; null when there is none. */
  readonly query: string | null;
  /** Without the hash sign; null when there is none. */
  readonly fragment: string | null;
};

const ENCODED = "%[0-9A-Fa-f]{2}";
const ID_CHARACTER = `(?:[A-Za-z0-9._-]|${ENCODED})`;
const PATH_CHARACTER = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|${ENCODED})`;
const TAIL_CHARACTER = `(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|${ENCODED})`;
const DID = `did:([a-z0-9]+):((?:${ID_CHARACTER}|:)*${ID_CHARACTER})`;

const WHOLE_DID = new RegExp(`^${DID}$`);
const WHOLE_DID_URL = new RegExp(
  `^${DID}((?:/${PATH_CHARACTER}*)*)(?:\\?(${TAIL_CHARACTER}*))?(?:#(${TAIL_CHARACTER}*))?$`,
);
const METHOD_NAME = /^[a-z0-9]+$/;
const SEGMENT = new RegExp(`^${ID_CHARACTER}+$`);

/** Null for a text that is neither a DID nor a DID URL. */
export function parseDidUrl(text: string): DidUrl | null {
  const match = WHOLE_DID_URL.exec(text);
  if (match === null) return null;
  const [, method, id, path, query, fragment] = match;
  return {
    did: `did:${method}:${id}`,
    method: method!,
    segments: id!.split(":"),
    path: path!,
    query: query ?? null,
    fragment: fragment ?? null,
  };
}

/** A DID as such: no path, query or fragment. */
export function isDid(text: string): boolean {
  return WHOLE_DID.test(text);
}

/** A DID with or without path, query and fragment. */
export function isDidUrl(text: string): boolean {
  return WHOLE_DID_URL.test(text);
}

export function isMethodName(text: string): boolean {
  return METHOD_NAME.test(text);
}

/** Whether the text can stand between two colons of a DID, as a network name does. */
export function isDidSegment(text: string): boolean {
  return SEGMENT.test(text);
}

/** A relative reference of a document (`#key-1`) with its DID before it; any other text as it is. */
export function absoluteDidUrl(text: string, did: string): string {
  return text.startsWith("#") ? did + text : text;
}
