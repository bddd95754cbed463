// Holds the source tree against the room rules: imports between rooms, import cycles, barrels, file lengths, and
// where the platform may be touched. Run alone it prints what it found; `npm test` runs it too.

import { findCycles } from "./import-cycles.ts";
import * as rules from "./room-rules.ts";
import { readSourceFiles, type SourceFile } from "./source-file.ts";

/** What is wrong in a tree, one sentence each, beginning with the place; empty when all is well. */
export function checkRooms(root: string): string[] {
  const files = readSourceFiles(root, rules.FOLDERS).filter((file) => !file.path.startsWith(rules.GENERATED));
  const product = files.filter((file) => file.path.startsWith("src/") && !rules.isTest(file.path));
  return [
    ...files.flatMap(checkLength),
    ...product.flatMap((file) => [
      ...checkImports(file),
      ...checkPlatform(file),
      ...checkEnvironment(file),
      ...checkBarrel(file),
    ]),
    ...findCycles(files.filter((file) => file.path.startsWith("src/"))).map(
      (cycle) => `${cycle[0]}: import cycle ${[...cycle, cycle[0]].join(" -> ")}`,
    ),
  ];
}

/** What the rules allow and no file makes use of: a hole in a wall where nobody goes through. */
export function unusedAllowances(root: string): string[] {
  const files = readSourceFiles(root, ["src"]).filter((file) => !rules.isTest(file.path));
  const unused = (name: string, places: readonly string[], used: (file: SourceFile) => boolean) =>
    places
      .filter((place) => !files.some((file) => file.path.startsWith(place) && used(file)))
      .map((place) => `scripts/room-rules.ts: ${place} is allowed ${name}, and makes no use of it`);
  const node = rules.NODE_ALLOWED.filter((place) => !rules.BUN_ALLOWED.includes(place));
  return [
    ...unused("Bun", rules.BUN_ALLOWED, (file) => usesOfBun(file).length > 0 || imports(file, BUN_MODULE)),
    ...unused("node: modules", node, (file) => imports(file, NODE_MODULE)),
    ...unused("the environment", rules.ENVIRONMENT_ALLOWED, (file) => usesOfEnvironment(file).length > 0),
    ...unused("to be a barrel", rules.BARREL_ALLOWED, (file) => file.imports.length > 0),
  ];
}

function checkLength(file: SourceFile): string[] {
  if (file.lines <= rules.LINE_LIMIT) return [];
  return [`${file.path}: ${file.lines} lines, the limit is ${rules.LINE_LIMIT}`];
}

function checkImports(file: SourceFile): string[] {
  const room = roomOf(file.path);
  const allowed = rules.MAY_IMPORT[room];
  if (allowed === undefined) return [`${file.path}: belongs to no room of scripts/room-rules.ts`];
  return file.imports.flatMap(({ target, line }) => {
    const place = `${file.path}:${line}`;
    if (/^[.]{2}\/|^(test|scripts|bench)\//.test(target))
      return [`${place}: imports ${target}, which lies outside src/`];
    if (!target.startsWith("src/")) return [];
    if (rules.isTest(target)) return [`${place}: imports the test ${target}`];
    const other = roomOf(target);
    const named = allowed.includes(other) || allowed.includes(target.slice("src/".length));
    if (other === room || rules.SHARED_ROOMS.includes(other) || named) return [];
    return [`${place}: ${room} may not import ${other} (${target})`];
  });
}

function checkPlatform(file: SourceFile): string[] {
  const found: string[] = [];
  const browser = rules.BROWSER_ROOMS.includes(roomOf(file.path));
  const bun = isUnder(file.path, rules.BUN_ALLOWED);
  const node = isUnder(file.path, rules.NODE_ALLOWED);
  for (const { target, line } of file.imports) {
    if (BUN_MODULE.test(target) && !bun) found.push(`${file.path}:${line}: may not import ${target}`);
    if (NODE_MODULE.test(target) && !node) found.push(`${file.path}:${line}: may not import ${target}`);
  }
  if (!bun) found.push(...usesOfBun(file));
  if (browser) {
    found.push(...uses(file, /(?<![.\w$])Buffer\b(?!\s*:)/g, "Buffer"));
    found.push(...uses(file, /(?<![.\w$])process\b(?=\s*[.[])/g, "process"));
  }
  return found;
}

function checkEnvironment(file: SourceFile): string[] {
  if (isUnder(file.path, rules.ENVIRONMENT_ALLOWED)) return [];
  return usesOfEnvironment(file);
}

const BUN_MODULE = /^bun(:|$)/;
const NODE_MODULE = /^node:/;

function usesOfBun(file: SourceFile): string[] {
  return uses(file, /(?<![.\w$])Bun\b(?=\s*[.[])/g, "Bun");
}

function usesOfEnvironment(file: SourceFile): string[] {
  return uses(file, /\b(process|Bun|import\.meta)\.env\b/g, "the environment");
}

function imports(file: SourceFile, pattern: RegExp): boolean {
  return file.imports.some(({ target }) => pattern.test(target));
}

function checkBarrel(file: SourceFile): string[] {
  if (rules.BARREL_ALLOWED.includes(file.path)) return [];
  const passedOn = /\bexport\s+(type\s+)?(\*(\s+as\s+[\w$]+)?|\{[^}]*\})(\s*from\s*"")?\s*;?/g;
  const imported = /\bimport\s+(type\s+)?([\w$*{}\s,]+?\s*from\s*)?""\s*;?/g;
  const rest = file.code.replaceAll(passedOn, "").replaceAll(imported, "").trim();
  return rest === "" && file.code.trim() !== "" ? [`${file.path}: only passes on what others export`] : [];
}

function uses(file: SourceFile, pattern: RegExp, name: string): string[] {
  return [...file.code.matchAll(pattern)].map(
    (match) => `${file.path}:${file.code.slice(0, match.index).split("\n").length}: may not use ${name}`,
  );
}

function roomOf(path: string): string {
  return path.split("/")[1] ?? path;
}

function isUnder(path: string, places: readonly string[]): boolean {
  return places.some((place) => path.startsWith(place));
}

if (import.meta.main) {
  const root = process.argv[2] ?? `${import.meta.dir}/..`;
  const found = [...checkRooms(root), ...unusedAllowances(root)];
  for (const sentence of found) console.log(sentence);
  process.exit(found.length === 0 ? 0 : 1);
}
