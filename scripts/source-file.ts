// Reads TypeScript files just far enough to know what they import and which names they use: comments and the text
// inside strings are taken out, so that a word in a sentence does not count as code.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export type Import = {
  /** The path from the root of the tree for a relative import, else the module's name as written. */
  readonly target: string;
  /** `import type` and `export type … from` vanish at run time. */
  readonly typeOnly: boolean;
  readonly line: number;
};

export type SourceFile = {
  /** From the root of the tree, with forward slashes. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** The text without comments and without the insides of strings; line breaks stay where they were. */
  readonly code: string;
};

export function readSourceFiles(root: string, folders: readonly string[]): SourceFile[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        posix.join(folder, name.replaceAll("\\", "/")),
      ),
    )
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => parseSource(path, readFileSync(join(root, path), "utf8")));
}

export function parseSource(path: string, text: string): SourceFile {
  return {
    path,
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    imports: importsOf(path, blank(text, { strings: false })),
    code: blank(text, { strings: true }),
  };
}

const FROM = /\b(?:import|export)\s+(type\s+)?(?:[\w$*{}\s,]+?\s*from\s*)?["']([^"'\n]+)["']/g;
const DYNAMIC = /\bimport\(\s*()["']([^"'\n]+)["']/g;

function importsOf(path: string, text: string): Import[] {
  return [FROM, DYNAMIC].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => {
      const specifier = match[2]!;
      return {
        target: specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier,
        typeOnly: Boolean(match[1]),
        line: text.slice(0, match.index).split("\n").length,
      };
    }),
  );
}

// Comments, strings, templates, and regular expressions: a slash begins one only where a value may begin.
const BLOCK = /\/\*[\s\S]*?\*\//.source;
const LINE = /\/\/[^\n]*/.source;
const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/.source;
const TEMPLATE = /`(?:\\[\s\S]|[^`\\])*`/.source;
const REGEXP = /(?<=(?:[(,=:[!&|?{};+\-*%~^<>]|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/.source;
const LITERAL = new RegExp([BLOCK, LINE, STRING, TEMPLATE, REGEXP].join("|"), "g");

function blank(text: string, { strings }: { strings: boolean }): string {
  return text.replaceAll(LITERAL, (literal) => {
    if (literal.startsWith("/")) return lineBreaks(literal);
    if (literal.startsWith("`")) return `\`${expressionsOf(literal)}${lineBreaks(literal)}\``;
    return strings ? '""' : literal;
  });
}

/** What a template computes is code; what it spells out is not. */
function expressionsOf(template: string): string {
  return [...template.matchAll(/\$\{([^}]*)\}/g)].map((match) => `(${match[1]!.replaceAll("\n", " ")})`).join("");
}

function lineBreaks(text: string): string {
  return "\n".repeat(text.split("\n").length - 1);
}
