// Holds the client's types against values: lines of TypeScript that must compile, and lines that must not.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, runTool } from "../../scripts/step.ts";

export type TypedLines = {
  accept(type: string, value: string): void;
  refuse(type: string, value: string): void;
  /** What the compiler has to say: nothing when all is well. A refused line that compiles is one of its errors. */
  check(): Promise<string>;
  count(): number;
};

/** `imports` are the first lines; each value gets a line of its own, so that an error tells which. */
export function typedLines(imports: string): TypedLines {
  const lines: string[] = [];
  let count = 0;
  const add = (type: string, value: string) => lines.push(`export const v${count++}: ${type} = ${value};`);
  return {
    accept: add,
    refuse: (type, value) => {
      lines.push("// @ts-expect-error");
      add(type, value);
    },
    check: () => compile(`${imports}\n${lines.join("\n")}\n`),
    count: () => count,
  };
}

/** A literal of the value; bigints as such. */
export function literal(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(literal).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${literal(member)}`)}}`;
}

async function compile(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-types-"));
  try {
    writeFileSync(join(folder, "values.ts"), text);
    const config = {
      extends: join(ROOT, "tsconfig.json"),
      include: [],
      files: ["values.ts"],
      compilerOptions: { types: [], incremental: false },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const { output } = await runTool(["tsc", "-p", folder, "--pretty", "false"]);
    return explained(output, text.split("\n"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each error with the line it is about; a directive without effect is about the line behind it. */
function explained(output: string, lines: readonly string[]): string {
  return output.replaceAll(/^.*values\.ts\((\d+),.*$/gm, (error, line: string) => {
    const at = Number(line) - 1;
    const value = lines[at]!.startsWith("//") ? lines[at + 1]! : lines[at]!;
    return `${error}\n  ${value.slice(0, 300)}`;
  });
}
