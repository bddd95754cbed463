// Whether a text is a URI with a scheme, by the grammar of RFC 3986. A fragment is allowed, as in service ids.

const ENCODED = "%[0-9A-Fa-f]{2}";
const NAME = `(?:[A-Za-z0-9._~!$&'()*+,;=-]|${ENCODED})`;
const USER = `(?:(?:${NAME}|:)*@)`;
const HOST = `(?:\\[[0-9A-Fa-fv:.]+\\]|${NAME}*)`;
const PATH_CHARACTER = `(?:${NAME}|[:@])`;
const TAIL_CHARACTER = `(?:${NAME}|[:@/?])`;

const URI = new RegExp(
  `^([A-Za-z][A-Za-z0-9+.-]*):(?://${USER}?(${HOST})(?::[0-9]*)?(?:/${PATH_CHARACTER}*)*|(?!//)((?:${PATH_CHARACTER}|/)*))` +
    `(?:\\?${TAIL_CHARACTER}*)?(?:#${TAIL_CHARACTER}*)?$`,
);
const NEEDS_HOST = /^(?:https?|wss?|ftp)$/i;

/** Stricter than the grammar in two points: something follows the scheme, and web addresses name a host. */
export function isAbsoluteUri(text: string): boolean {
  const match = URI.exec(text);
  if (match === null) return false;
  const [, scheme, host, path] = match;
  if (NEEDS_HOST.test(scheme!)) return host !== undefined && host !== "";
  return path !== "";
}
