// The list operations over state that a test makes: how to put an item into each list, and how to know it in an answer.

import { create, toBinary } from "@bufbuild/protobuf";
import { encodeAddress } from "../../src/codec/address.ts";
import { type Bytes, concatBytes, utf8Encode } from "../../src/codec/bytes.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { BaseAccountSchema } from "../../src/gen/cosmos/auth/v1beta1/auth_pb.ts";
import { MetadataSchema } from "../../src/gen/cosmos/bank/v1beta1/bank_pb.ts";
import { DidDocumentSchema } from "../../src/gen/orrery/identity/v1/did_pb.ts";
import { accountKey, encodeAccount } from "../../src/state/account.ts";
import { balanceKey, supply, tokens } from "../../src/state/bank.ts";
import { documentKey, encodeDocument } from "../../src/state/identity.ts";
import type { Json, JsonObject } from "./door.ts";

export type StateList = {
  readonly operation: string;
  /** With the parameters that are not those of paging; ends in `?` or `&`. */
  readonly path: string;
  /** The field of the answer that holds the items. */
  readonly field: string;
  /** Item number `n`: its key and value in the store, and the name by which an answer shows it. */
  item(n: number): { readonly key: Bytes; readonly value: Bytes; readonly name: string };
  nameOf(item: Json): string;
};

const HOLDER = addressOf(-1);
const HOLDER_TEXT = encodeAddress("cosmos", HOLDER);

export const STATE_LISTS: readonly StateList[] = [
  {
    operation: "listDocuments",
    path: "/vendor/project/identity/did?",
    field: "didDocument",
    item(n) {
      const name = didOf(n);
      const document = create(DidDocumentSchema, { iD: name, creator: HOLDER_TEXT, alsoKnownAs: [`alias-${n}`] });
      return { key: documentKey(name), value: encodeDocument(document), name };
    },
    nameOf: named("iD"),
  },
  {
    operation: "listTokens",
    path: "/core/bank/v1beta1/denoms_metadata?",
    field: "metadatas",
    item(n) {
      const name = denomOf(n);
      const metadata = create(MetadataSchema, { base: name, display: name, name, symbol: name });
      return { key: under(tokens.prefix, name), value: toBinary(MetadataSchema, metadata) as Bytes, name };
    },
    nameOf: named("base"),
  },
  {
    operation: "listSupply",
    path: "/core/bank/v1beta1/supply?",
    field: "supply",
    item(n) {
      return { key: under(supply.prefix, denomOf(n)), value: utf8Encode(String(n + 1)), name: denomOf(n) };
    },
    nameOf: named("denom"),
  },
  ...["balances", "spendable_balances"].map((name) => ({
    operation: name === "balances" ? "listBalances" : "listSpendableBalances",
    path: `/core/bank/v1beta1/${name}?address=${HOLDER_TEXT}&`,
    field: "balances",
    item: (n: number) => {
      return { key: balanceKey(HOLDER, denomOf(n)), value: utf8Encode(String(n + 1)), name: denomOf(n) };
    },
    nameOf: named("denom"),
  })),
  {
    operation: "listAccounts",
    path: "/core/auth/v1beta1/accounts?",
    field: "accounts",
    item(n) {
      const address = addressOf(n);
      const name = encodeAddress("cosmos", address);
      const account = create(BaseAccountSchema, { address: name, accountNumber: BigInt(n) });
      return { key: accountKey(address), value: encodeAccount(account), name };
    },
    nameOf: named("address"),
  },
];

/** Some of them begin others, and some sort otherwise with the slash behind them than without it. */
function didOf(n: number): string {
  return `did:orr:${["a", "a-", "A.", "b:c"][n % 4]}${n}`;
}

/** Capitals sort before small letters, a slash before both. */
function denomOf(n: number): string {
  return `${["u", "U", "ibc/", "factory/x/"][n % 4]}den${n}`;
}

/** 20 bytes, and every fifth one 32, as derived addresses have. */
function addressOf(n: number): Bytes {
  const hash = sha256(utf8Encode(`address ${n}`)) as Bytes;
  return n % 5 === 4 ? hash : hash.slice(0, 20);
}

function under(prefix: Bytes, text: string): Bytes {
  return concatBytes(prefix, utf8Encode(text));
}

function named(field: string): (item: Json) => string {
  return (item) => (item as JsonObject)[field] as string;
}
