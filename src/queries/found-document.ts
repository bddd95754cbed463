// The extended view of a stored document, which the five look-ups answer: the service type is an enumeration there,
// while the store keeps the W3C text.

import { type Bytes, utf8Decode } from "../codec/bytes.ts";
import { rewriteField } from "../codec/rewrite.ts";
import { ServiceType } from "../gen/orrery/identity/v1/query_pb.ts";

const TYPES: ReadonlyMap<string, number> = new Map([
  ["DIDCommMessaging", ServiceType.ServiceType_DID_COMM_MESSAGING],
  ["EncryptedDataVault", ServiceType.ServiceType_ENCRYPTED_DATA_VAULT],
  ["LinkedDomains", ServiceType.ServiceType_LINKED_DOMAINS],
]);

export function foundDocument(stored: Bytes): Bytes {
  return rewriteField(stored, 11, (services, document) => {
    document.messageField(
      11,
      rewriteField(services, 1, (service, list) => list.messageField(1, foundService(service))),
    );
  });
}

function foundService(service: Bytes): Bytes {
  return rewriteField(service, 2, (type, output) => {
    output.varintField(2, TYPES.get(utf8Decode(type)) ?? ServiceType.ServiceType_UNSPECIFIED);
  });
}
