// DID resolution by the W3C's names: what is asked, what comes out, and the errors with their statuses.

import type { Time } from "../codec/time.ts";
import type { W3cDocument } from "../codec/w3c-document.ts";

/** Which version of a DID's document: the newest, one by its number, or the newest at or before a time. */
export type DidRequest = {
  readonly did: string;
  readonly method: string;
  readonly versionId: string | null;
  readonly versionTime: Time | null;
};

/** `document` is null when the DID is deactivated and no older version was asked for. */
export type Resolution = { readonly document: W3cDocument | null; readonly metadata: DidMetadata };

/** Members are left out where they do not apply. Times are in whole seconds. */
export type DidMetadata = {
  readonly created?: string;
  readonly updated?: string;
  readonly deactivated?: true;
  readonly versionId?: string;
  readonly nextVersionId?: string;
  readonly nextUpdate?: string;
  /** What this DID method adds. */
  readonly method?: Readonly<Record<string, unknown>>;
};

/** Throws ResolutionError. */
export type ResolveDid = (
  request: DidRequest,
  height: bigint | undefined,
) => Promise<Resolution & { readonly height: bigint }>;

/** Each name with its status and the word that DID Core 1.0 had for it. */
const ERRORS = {
  INVALID_DID: [400, "invalidDid"],
  INVALID_DID_URL: [400, "invalidDidUrl"],
  INVALID_OPTIONS: [400, "invalidOptions"],
  INVALID_VERIFICATION_METHOD: [400, "invalidVerificationMethod"],
  INVALID_RELATIONSHIP_FOR_VERIFICATION_METHOD: [400, "invalidRelationshipForVerificationMethod"],
  NOT_FOUND: [404, "notFound"],
  REPRESENTATION_NOT_SUPPORTED: [406, "representationNotSupported"],
  METHOD_NOT_SUPPORTED: [501, "methodNotSupported"],
  INTERNAL_ERROR: [500, "internalError"],
} as const satisfies Record<string, readonly [number, string]>;

export type ResolutionErrorName = keyof typeof ERRORS;

export class ResolutionError extends Error {
  override readonly name = "ResolutionError";
  readonly type: ResolutionErrorName;

  /** The message is one sentence for the caller. */
  constructor(type: ResolutionErrorName, message: string) {
    super(message);
    this.type = type;
  }

  get status(): number {
    return ERRORS[this.type][0];
  }

  /** The single word of DID Core 1.0. */
  get word(): string {
    return ERRORS[this.type][1];
  }
}
