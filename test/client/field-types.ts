// Every field of an answer with the type that the client gives it: where it is, which type holds it, and what it is.

export type Field = {
  /** The type of the object or list that holds the field, as an expression. */
  readonly holder: string;
  /** Null for the entries of a list. */
  readonly name: string | null;
  readonly value: unknown;
  /** Whether the holder may go without it. */
  readonly optional: boolean;
};

/** Members of a oneof, and what only an undecodable transaction has. */
const OPTIONAL = new Set([
  "single",
  "multi",
  "ed25519",
  "secp256k1",
  "duplicate_vote_evidence",
  "light_client_attack_evidence",
  "raw",
  "decode_error",
]);
const MAPS = new Set(["public_key_jwk", "service_endpoints"]);

/** Each field once, however many entries the lists have. */
export function fieldsOf(answer: object, type: string): Field[] {
  const fields = new Map<string, Field>();
  collect(answer, type, fields);
  return [...fields.values()];
}

function collect(value: unknown, type: string, fields: Map<string, Field>): void {
  if (Array.isArray(value)) {
    for (const entry of value) {
      fields.set(`${type}[]`, { holder: type, name: null, value: entry, optional: true });
      collect(entry, entryType(type, entry), fields);
    }
    return;
  }
  if (typeof value !== "object" || value === null || isUnknownType(value, type)) return;
  for (const [name, member] of Object.entries(value)) {
    fields.set(`${type}.${name}`, { holder: type, name, value: member, optional: OPTIONAL.has(name) });
    if (!MAPS.has(name)) collect(member, `NonNullable<${type}[${JSON.stringify(name)}]>`, fields);
  }
}

/** Accounts are told apart by their `@type`. */
function entryType(list: string, entry: unknown): string {
  const kind = (entry as { "@type"?: string } | null)?.["@type"];
  return isAccounts(list) && kind !== undefined
    ? `Extract<${list}[number], { "@type": "${kind}" }>`
    : `${list}[number]`;
}

/** Of the typed objects, the client's types know accounts alone. */
function isUnknownType(value: object, type: string): boolean {
  return "@type" in value && !type.startsWith("Extract<");
}

function isAccounts(type: string): boolean {
  return type.endsWith('["accounts"]>');
}
