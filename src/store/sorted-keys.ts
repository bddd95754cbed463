// Keys as texts in byte order: where to begin in such a list, and how to add many to it.

/** The index of the first element that is not below `text`. */
export function firstNotBelow(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Both lists in one; no key may be in both. Sorting anew would cost far more where few come to many. */
export function mergeSorted(many: readonly string[], few: readonly string[]): string[] {
  const merged: string[] = [];
  let next = 0;
  for (const key of few) {
    const end = firstNotBelow(many, key);
    for (; next < end; next++) merged.push(many[next]!);
    merged.push(key);
  }
  for (; next < many.length; next++) merged.push(many[next]!);
  return merged;
}
