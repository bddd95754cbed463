// A transaction that went through, for people.

import type { TxResponse } from "./rest.ts";
import { formatTable, type Row } from "./table.ts";

export function txText({ txhash, height, gas_used, gas_wanted, events }: TxResponse): string {
  const rows = events.flatMap(({ type, attributes }) => {
    return attributes.map(({ key, value }, i): Row => [i === 0 ? type : "", key, value]);
  });
  const facts = [`hash    ${txhash}`, `height  ${height}`, `gas     ${gas_used} used of ${gas_wanted}`];
  return `${facts.join("\n")}\n\n${formatTable([{ title: "event" }, { title: "attribute" }, { title: "value" }], rows)}`;
}
