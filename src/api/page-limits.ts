// How many entries a page has: where no limit is given, and at most.

export const DEFAULT_LIMIT = 100;
export const LARGEST_LIMIT = 1000;
