// The flag by which a change of a document says what it builds on.

import type { Flag } from "./flags.ts";
import { parseText } from "./values.ts";

export const expectedVersion: Flag<string, null> = {
  placeholder: "VERSION",
  about: "the version_id that the DID must have now, or the change is refused",
  fallback: null,
  parse: parseText,
  variable: false,
};
