// The extended view of a stored document, which the five look-ups answer: the service type is an enumeration there,
// while the store keeps the W3C text.

import { type Bytes, utf8Decode } from "../codec/bytes.ts";
import { rewriteField } from "../codec/rewrite.ts";
import { WireWriter } from "../codec/wire.ts";
import { ServiceType } from "../gen/orrery/identity/v1/query_pb.ts";

const TYPES: ReadonlyMap<string, number> = new Map([
  ["DIDCommMessaging", ServiceType.ServiceType_DID_COMM_MESSAGING],
  ["EncryptedDataVault", ServiceType.ServiceType_ENCRYPTED_DATA_VAULT],
  ["LinkedDomains", ServiceType.ServiceType_LINKED_DOMAINS],
]);

/** The response of a look-up, with the document as its field 1. */
export function foundResponse(stored: Bytes): Bytes {
  const output = new WireWriter(stored.length + 16);
  const service = (bytes: Bytes) => rewriteField(bytes, 2, output, (type) => output.varintField(2, serviceType(type)));
  const services = (bytes: Bytes) =>
    rewriteField(bytes, 1, output, (value) => output.nestedField(1, () => service(value)));
  return output
    .nestedField(1, () => rewriteField(stored, 11, output, (value) => output.nestedField(11, () => services(value))))
    .finish();
}

function serviceType(text: Bytes): number {
  return TYPES.get(utf8Decode(text)) ?? ServiceType.ServiceType_UNSPECIFIED;
}
