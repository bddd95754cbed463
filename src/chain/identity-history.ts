// The history of a DID: what is written down at each change, and how a change finds the state it builds on.

import { create } from "@bufbuild/protobuf";
import type { DidDocument } from "../gen/orrery/identity/v1/did_pb.ts";
import {
  type DidMeta,
  DidVersion_Kind,
  DidVersionSchema,
  type WriteMark,
  WriteMarkSchema,
} from "../gen/orrery/identity/v1/state_pb.ts";
import { decodeDocument, getDocument, getMeta, putMeta, putVersion } from "../state/identity.ts";
import type { MessageContext } from "./context.ts";
import { IdentityError } from "./identity-error.ts";

export type ActiveDid = { readonly document: DidDocument; readonly meta: DidMeta };

/** Throws IdentityError for a DID that was never created, and for one that is deactivated. */
export async function loadActive({ state }: MessageContext, did: string): Promise<ActiveDid> {
  const meta = await getMeta(state, did);
  if (meta === null) throw new IdentityError(1100, did);
  if (meta.deactivated) throw new IdentityError(1105, did);
  const stored = await getDocument(state, did);
  if (stored === null) throw new Error(`${did} is active, but its document is not stored`);
  return { document: decodeDocument(stored), meta };
}

/** The lock against overwriting what one has not seen; an empty text asks for none. */
export function checkVersion({ version }: DidMeta, expected: string): void {
  if (expected !== "" && expected !== version.toString()) {
    throw new IdentityError(1106, `expected ${expected}, the version is ${version}`);
  }
}

/** When and by which transaction: times in whole seconds, as the metadata of DID resolution gives them. */
export function writeMark({ block, txHash }: MessageContext): WriteMark {
  const time = { seconds: block.time.seconds, nanos: 0 };
  return create(WriteMarkSchema, { height: block.height, time, txHash });
}

/** Writes the new summary and version `meta.version`; `document` is null for a deactivation. */
export function writeHistory(
  { state }: MessageContext,
  did: string,
  meta: DidMeta,
  kind: DidVersion_Kind,
  document: DidDocument | null,
): void {
  const written = kind === DidVersion_Kind.CREATED ? meta.created : meta.updated;
  putMeta(state, did, meta);
  putVersion(
    state,
    did,
    meta.version,
    create(DidVersionSchema, { kind, ...(written && { written }), ...(document && { document }) }),
  );
}
