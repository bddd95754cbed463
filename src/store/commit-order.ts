// The rule of heights that every engine keeps, with the words for breaking it.

/** Throws unless `height` may follow `head`: any height in an empty store, head + 1 in every other. */
export function checkCommitOrder(head: bigint | null, height: bigint): void {
  if (height < 0n || height > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(`height ${height} cannot be committed: heights are 0 to 2^53 - 1`);
  }
  if (head !== null && height !== head + 1n) {
    throw new RangeError(`height ${height} cannot be committed: the head is ${head}, the next height is ${head + 1n}`);
  }
}
