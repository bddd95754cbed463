// Files that import each other in a circle at run time: the order in which they are evaluated is then an accident.

import type { SourceFile } from "./source-file.ts";

/** One circle for each group of files that reach each other; a circle begins at its first file by name. */
export function findCycles(files: readonly SourceFile[]): string[][] {
  const imports = new Map(
    files.map((file) => [file.path, file.imports.filter((one) => !one.typeOnly).map((one) => one.target)]),
  );
  const cycles: string[][] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: string[]): void => {
    const position = trail.indexOf(path);
    if (position >= 0) {
      cycles.push(startAtFirst(trail.slice(position)));
      return;
    }
    if (done.has(path)) return;
    for (const target of imports.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) walk(path, []);
  return cycles;
}

function startAtFirst(cycle: readonly string[]): string[] {
  const first = cycle.indexOf(cycle.toSorted()[0]!);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
