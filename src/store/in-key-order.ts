// A commit's changes as a tree wants them: one for each key, in byte order of the keys.

import { type Bytes, compareBytes, equalBytes } from "../codec/bytes.ts";
import type { Change } from "./store.ts";

/**
 * Of several changes of a key, the last one given. A first commit may have millions, most of which come in order within
 * their space and kind: those groups need no sorting.
 */
export function inKeyOrder(changes: readonly Change[]): Change[] {
  const ordered: Change[] = [];
  for (const group of groupsOf(changes)) {
    if (!isAscending(group)) group.sort(([a], [b]) => compareBytes(a, b));
    for (const change of group) {
      const before = ordered.at(-1);
      if (before !== undefined && equalBytes(before[0], change[0])) ordered[ordered.length - 1] = change;
      else ordered.push(change);
    }
  }
  return ordered;
}

/** By the first two bytes of their keys, in the order of these. */
function groupsOf(changes: readonly Change[]): Change[][] {
  const groups = new Map<number, Change[]>();
  for (const change of changes) {
    const place = placeOf(change[0]);
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [change]);
    else group.push(change);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

/** A missing byte comes before all others. */
function placeOf(key: Bytes): number {
  return ((key[0] ?? -1) + 1) * 257 + (key[1] ?? -1) + 1;
}

function isAscending(changes: readonly Change[]): boolean {
  for (let i = 1; i < changes.length; i++) {
    if (compareBytes(changes[i - 1]![0], changes[i]![0]) > 0) return false;
  }
  return true;
}
