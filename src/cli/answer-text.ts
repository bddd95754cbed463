// Answers as people read them: lists of small things as tables, everything else as indented JSON.

import type { OperationId } from "../api/operations.ts";
import type { Coin, PageInfo, Token } from "../client/answers.ts";
import type { ListedDocument } from "../client/document.ts";
import { type Column, formatTable, type Row } from "./table.ts";

type Table = { readonly columns: readonly Column[]; readonly rows: readonly Row[] };

/** Where the answer comes from stands in the last line. */
export type AnswerFacts = { readonly height: bigint; readonly chainId: string };

export function answerText(id: OperationId, answer: object, { height, chainId }: AnswerFacts): string {
  const shape = TABLES[id];
  if (shape === undefined) return JSON.stringify(answer, null, 2);
  const { columns, rows } = shape(answer);
  const facts = [`${rows.length} shown`, ...pageFacts(answer), `height ${height} of ${chainId}`];
  return `${formatTable(columns, rows)}\n\n${facts.join(", ")}`;
}

function pageFacts(answer: object): string[] {
  const { next_key, total } = (answer as { readonly pagination: PageInfo }).pagination;
  return [
    // Zero means that nobody counted.
    ...(total === "0" ? [] : [`${total} in all`]),
    ...(next_key === null ? [] : [`more with --key '${next_key}'`]),
  ];
}

const COINS: readonly Column[] = [{ title: "denom" }, { title: "amount", align: "right" }];

/** The members of an answer are those of its type in client/answers.ts. */
const TABLES: Partial<Record<OperationId, (answer: object) => Table>> = {
  listSupply: (answer) => coinTable((answer as { supply: readonly Coin[] }).supply),
  listBalances: (answer) => coinTable((answer as { balances: readonly Coin[] }).balances),
  listSpendableBalances: (answer) => coinTable((answer as { balances: readonly Coin[] }).balances),
  listTokens: (answer) => tokenTable((answer as { metadatas: readonly Token[] }).metadatas),
  listAccounts: (answer) => accountTable((answer as { accounts: readonly object[] }).accounts),
  listDocuments: (answer) => documentTable((answer as { didDocument: readonly ListedDocument[] }).didDocument),
};

function coinTable(coins: readonly Coin[]): Table {
  return { columns: COINS, rows: coins.map(({ denom, amount }) => [denom, amount]) };
}

function tokenTable(tokens: readonly Token[]): Table {
  const columns: Column[] = [
    ...["denom", "shown as"].map((title) => ({ title })),
    { title: "decimals", align: "right" },
    ...["symbol", "name"].map((title) => ({ title })),
  ];
  const decimals = ({ display, denom_units }: Token) => denom_units.find(({ denom }) => denom === display)?.exponent;
  const rows = tokens.map((token) => [token.base, token.display, `${decimals(token) ?? ""}`, token.symbol, token.name]);
  return { columns, rows };
}

function accountTable(accounts: readonly object[]): Table {
  const columns: Column[] = [
    { title: "number", align: "right" },
    { title: "address" },
    { title: "sequence", align: "right" },
    { title: "kind" },
  ];
  const rows = accounts.map((account) => {
    const { address, account_number, sequence } = baseOf(account);
    const kind = String((account as { "@type"?: unknown })["@type"]);
    return [account_number, address, sequence, kind.slice(kind.lastIndexOf(".") + 1)];
  });
  return { columns, rows };
}

type Base = { readonly address: string; readonly account_number: string; readonly sequence: string };

/** Every kind of account has the common part at some depth. */
function baseOf(account: object): Base {
  if ("account_number" in account) return account as Base;
  const inner = Object.entries(account).find(([name]) => name.startsWith("base_"));
  return inner === undefined ? { address: "", account_number: "", sequence: "" } : baseOf(inner[1] as object);
}

function documentTable(documents: readonly ListedDocument[]): Table {
  const columns: Column[] = [
    { title: "did" },
    { title: "methods", align: "right" },
    { title: "services", align: "right" },
    { title: "also known as" },
  ];
  const rows = documents.map(({ iD, verification_method, service, also_known_as }) => {
    return [iD, `${verification_method.data.length}`, `${service.data.length}`, also_known_as.join(" ")];
  });
  return { columns, rows };
}
