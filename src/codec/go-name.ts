// The names that the reference's own code gives to messages and fields: its sentences print them.

import type { DescField, DescMessage } from "@bufbuild/protobuf";

/** Packages whose Go name is not `types`. */
const PACKAGES: Readonly<Record<string, string>> = {
  "cosmos.tx.v1beta1": "tx",
  "cosmos.crypto.secp256k1": "secp256k1",
  "cosmos.crypto.secp256r1": "secp256r1",
  "cosmos.crypto.ed25519": "ed25519",
  "cosmos.crypto.multisig": "multisig",
};

/** `*types.MsgSend`; a nested message is joined to its parent by an underscore. */
export function goTypeName({ typeName, file }: DescMessage): string {
  const name = typeName.slice(file.proto.package.length + 1).replaceAll(".", "_");
  return `*${PACKAGES[file.proto.package] ?? "types"}.${name}`;
}

/** `timeout_height` is `TimeoutHeight`. */
export function goFieldName(field: DescField): string {
  return field.name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
