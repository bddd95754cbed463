// Public keys of WebAuthn credentials: COSE keys (RFC 9052 section 7) in the CBOR form that authenticators must use.

import { type Bytes, concatBytes } from "./bytes.ts";

export type CoseKey =
  | { readonly type: "EC2"; readonly curve: "P-256"; readonly x: Bytes; readonly y: Bytes }
  | { readonly type: "OKP"; readonly curve: "Ed25519"; readonly x: Bytes }
  | { readonly type: "RSA"; readonly n: Bytes; readonly e: Bytes };

// Labels and values of the IANA registry of COSE.
const KEY_TYPE = 1;
const ALGORITHM = 3;
const OKP = 1;
const EC2 = 2;
const RSA = 3;
const P256 = 1;
const ED25519 = 6;
const ALGORITHMS: { readonly [keyType: number]: readonly number[] } = {
  [OKP]: [-8],
  [EC2]: [-7],
  [RSA]: [-257, -258, -259, -37, -38, -39],
};

/** Throws with the reason when the bytes are not a public key of one of the three kinds. */
export function decodeCoseKey(bytes: Bytes): CoseKey {
  const map = decodeMap(bytes);
  const keyType = map.get(KEY_TYPE);
  const algorithm = map.get(ALGORITHM);
  if (typeof keyType !== "number" || ALGORITHMS[keyType] === undefined) throw new Error("unsupported key type");
  if (typeof algorithm !== "number" || !ALGORITHMS[keyType].includes(algorithm)) {
    throw new Error("the algorithm does not fit the key type");
  }
  // Label -4 is the private part of EC2 and OKP keys; -3 to -12 are those of RSA keys.
  const first = keyType === RSA ? -3 : -4;
  for (const label of map.keys()) if (label <= first) throw new Error("private or unknown member");
  if (keyType === RSA) return { type: "RSA", n: bytesOf(map, -1), e: bytesOf(map, -2) };
  if (keyType === OKP) {
    if (map.get(-1) !== ED25519) throw new Error("unsupported curve");
    return { type: "OKP", curve: "Ed25519", x: bytesOf(map, -2) };
  }
  if (map.get(-1) !== P256) throw new Error("unsupported curve");
  return { type: "EC2", curve: "P-256", x: bytesOf(map, -2), y: bytesOf(map, -3) };
}

/** The two kinds that platform authenticators make. */
export function encodeCoseKey(key: Exclude<CoseKey, { type: "RSA" }>): Bytes {
  const label = (code: number, coordinate: Bytes) =>
    concatBytes(Uint8Array.of(code, 0x58, coordinate.length), coordinate);
  if (key.type === "OKP") {
    return concatBytes(Uint8Array.of(0xa4, 0x01, OKP, 0x03, 0x27, 0x20, ED25519), label(0x21, key.x));
  }
  return concatBytes(Uint8Array.of(0xa5, 0x01, EC2, 0x03, 0x26, 0x20, P256), label(0x21, key.x), label(0x22, key.y));
}

type Item = number | Bytes;

function bytesOf(map: ReadonlyMap<number, Item>, label: number): Bytes {
  const item = map.get(label);
  if (!(item instanceof Uint8Array)) throw new Error(`no bytes under label ${label}`);
  return item;
}

/** One CBOR map of small integers to integers and byte strings, of definite length, and nothing after it. */
function decodeMap(bytes: Bytes): Map<number, Item> {
  let pos = 0;
  const head = (): { major: number; argument: number } => {
    const first = bytes[pos++];
    if (first === undefined) throw new Error("truncated");
    const size = first & 31;
    if (size < 24) return { major: first >> 5, argument: size };
    if (size > 25) throw new Error("number too large or of indefinite length");
    let argument = 0;
    for (let i = 0; i < size - 23; i++) {
      const byte = bytes[pos++];
      if (byte === undefined) throw new Error("truncated");
      argument = argument * 256 + byte;
    }
    return { major: first >> 5, argument };
  };
  const item = (): Item => {
    const { major, argument } = head();
    if (major === 0) return argument;
    if (major === 1) return -1 - argument;
    if (major !== 2) throw new Error("unexpected CBOR type");
    if (pos + argument > bytes.length) throw new Error("truncated");
    pos += argument;
    return bytes.slice(pos - argument, pos);
  };

  const start = head();
  if (start.major !== 5) throw new Error("not a CBOR map");
  const map = new Map<number, Item>();
  for (let i = 0; i < start.argument; i++) {
    const label = item();
    if (typeof label !== "number") throw new Error("label is not an integer");
    if (map.has(label)) throw new Error("label occurs twice");
    map.set(label, item());
  }
  if (pos !== bytes.length) throw new Error("bytes after the key");
  return map;
}
