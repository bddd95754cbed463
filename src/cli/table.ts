// Plain text tables: a line of titles, columns two spaces apart.

export type Column = { readonly title: string; readonly align?: "right" };

/** What the columns of one row hold. */
export type Row = readonly string[];

export function formatTable(columns: readonly Column[], rows: readonly Row[]): string {
  const shown = [columns.map(({ title }) => title), ...rows.map((row) => row.map(printable))];
  const widths = columns.map((_, i) => Math.max(...shown.map((row) => (row[i] ?? "").length)));
  const line = (row: Row) =>
    columns
      .map(({ align }, i) => {
        const cell = row[i] ?? "";
        return align === "right" ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!);
      })
      .join("  ")
      .trimEnd();
  return shown.map(line).join("\n");
}

/** Strangers wrote some of this: what would steer a terminal, or reverse its text, is shown as a mark. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{FFFD}");
}
