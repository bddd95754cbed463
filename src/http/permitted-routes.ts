// Which routes an operator serves: patterns of paths, with `*` for any run of characters, or ids of operations.

export type RoutePatterns = {
  /** Empty for all. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
};

export const ALL_ROUTES: RoutePatterns = { allow: [], deny: [] };

/** Whether something with these names is served: a denial wins over a permission. */
export function permits({ allow, deny }: RoutePatterns, names: readonly string[]): boolean {
  const matches = (pattern: string) => names.some((name) => matcher(pattern).test(name));
  return (allow.length === 0 || allow.some(matches)) && !deny.some(matches);
}

function matcher(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}
