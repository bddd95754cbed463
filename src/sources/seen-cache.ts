// What was seen lately, such as transactions by their hash. The oldest are forgotten first, so that it cannot grow without bound.

export type SeenCache = {
  /** False when it was there already; it then counts as seen anew. */
  push(hash: string): boolean;
  has(hash: string): boolean;
  remove(hash: string): void;
};

export function createSeenCache(limit: number): SeenCache {
  const seen = new Set<string>();
  return {
    push(hash) {
      const isNew = !seen.delete(hash);
      seen.add(hash);
      if (seen.size > limit) seen.delete(seen.keys().next().value!);
      return isNew;
    },
    has: (hash) => seen.has(hash),
    remove: (hash) => void seen.delete(hash),
  };
}
