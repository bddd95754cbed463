// Plain byte strings: the few operations that every codec needs.

export type Bytes = Uint8Array<ArrayBuffer>;

export const EMPTY: Bytes = new Uint8Array(0);

export function concat(...parts: readonly Bytes[]): Bytes {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let pos = 0;
  for (const part of parts) {
    joined.set(part, pos);
    pos += part.length;
  }
  return joined;
}

/** Byte order: negative when `a` comes first; a prefix comes before what it begins. */
export function compareBytes(a: Bytes, b: Bytes): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function equalBytes(a: Bytes, b: Bytes): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const HEX_DIGITS = /^(?:[0-9a-fA-F]{2})*$/;

/** Lower-case hex. */
export function toHex(bytes: Bytes): string {
  let text = "";
  for (const byte of bytes) text += byte < 16 ? `0${byte.toString(16)}` : byte.toString(16);
  return text;
}

/** Either case; throws on anything that is not whole bytes of hex. */
export function fromHex(text: string): Bytes {
  if (!HEX_DIGITS.test(text)) throw new Error("not hexadecimal");
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
