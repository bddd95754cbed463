// Maps of text in one order, so that equal documents have equal bytes.

export function sortedMap(map: { readonly [key: string]: string }): { [key: string]: string } {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}
