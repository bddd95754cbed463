// The transcoder against the plain way, on random messages of every type that is ever printed, and on bytes that no
// ordinary writer makes.

import { expect, test } from "bun:test";
import { create, type DescMessage, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { arbitraryBytes } from "../../test/messages/arbitrary-message.ts";
import { plainJson } from "../../test/messages/plain-json.ts";
import { ModuleAccountSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import { Query as AuthQuery } from "../gen/cosmos/auth/v1beta1/query_pb.ts";
import { DenomUnitSchema } from "../gen/cosmos/bank/v1beta1/bank_pb.ts";
import { Query as BankQuery } from "../gen/cosmos/bank/v1beta1/query_pb.ts";
import { Service as BlockService, VersionInfoSchema } from "../gen/cosmos/base/tendermint/v1beta1/query_pb.ts";
import { CoinSchema } from "../gen/cosmos/base/v1beta1/coin_pb.ts";
import { LegacyAminoPubKeySchema } from "../gen/cosmos/crypto/multisig/keys_pb.ts";
import { Service as TxService } from "../gen/cosmos/tx/v1beta1/service_pb.ts";
import { AuthInfoSchema, ModeInfoSchema, TxSchema } from "../gen/cosmos/tx/v1beta1/tx_pb.ts";
import { ServiceSchema, VerificationMethodSchema } from "../gen/orrery/identity/v1/did_pb.ts";
import { Query as IdentityQuery } from "../gen/orrery/identity/v1/query_pb.ts";
import { DidMetaSchema } from "../gen/orrery/identity/v1/state_pb.ts";
import { CountedNodeSchema } from "../gen/orrery/state/v1/state_pb.ts";
import { PublicKeySchema } from "../gen/tendermint/crypto/keys_pb.ts";
import { EvidenceSchema } from "../gen/tendermint/types/evidence_pb.ts";
import { CommitSigSchema } from "../gen/tendermint/types/types_pb.ts";
import { anyMessages } from "./any.ts";
import { type Bytes, concatBytes, fromHex, utf8Decode, utf8Encode } from "./bytes.ts";
import { compileJson } from "./transcode.ts";
import { WireError } from "./wire-cursor.ts";

const responses = [AuthQuery, BankQuery, BlockService, TxService, IdentityQuery].flatMap((service) =>
  service.methods.map((method) => method.output),
);
const others = [ModeInfoSchema, EvidenceSchema, PublicKeySchema, DidMetaSchema, CountedNodeSchema];
const printed = [...new Set<DescMessage>([...responses, ...anyMessages, ...others])];
// Where Anys merge, the bytes of one could get the type of another, which neither way can read.
const oneType = [LegacyAminoPubKeySchema];
const spellings = ["primary", "ecosystem"] as const;

test("every response and every typed object is covered", () => {
  expect(printed.length).toBeGreaterThan(40);
});

for (const desc of printed) {
  test(`${desc.typeName}: as the plain way prints it`, () => {
    fc.assert(
      fc.property(arbitraryBytes(desc), (bytes) => {
        for (const spelling of spellings) expect(print(desc, bytes, spelling)).toBe(plainJson(desc, bytes, spelling));
      }),
      { numRuns: 25 },
    );
  });

  // The bytes of two messages in a row are one message: single fields are set twice, messages merge, lists go on,
  // members of a oneof replace each other, and the fields are out of order.
  test(`${desc.typeName}: two messages in a row merge`, () => {
    fc.assert(
      fc.property(arbitraryBytes(desc, oneType), arbitraryBytes(desc, oneType), (first, second) => {
        const both = concatBytes(first, second);
        for (const spelling of spellings) expect(print(desc, both, spelling)).toBe(plainJson(desc, both, spelling));
      }),
      { numRuns: 25 },
    );
  });
}

test("defaults, nulls and names", () => {
  const nothing = new Uint8Array(0);
  expect(print(ModuleAccountSchema, nothing, "primary")).toBe(
    '{"base_account":{"address":"","pub_key":null,"account_number":"0","sequence":"0"},"name":"","permissions":[]}',
  );
  expect(print(CommitSigSchema, nothing, "primary")).toBe(
    '{"block_id_flag":"BLOCK_ID_FLAG_UNKNOWN","validator_address":"","timestamp":"0001-01-01T00:00:00.000Z","signature":""}',
  );
  expect(print(CommitSigSchema, nothing, "ecosystem")).toBe(
    '{"block_id_flag":"BLOCK_ID_FLAG_UNKNOWN","validator_address":null,"timestamp":"0001-01-01T00:00:00Z","signature":null}',
  );
  expect(print(BankQuery.method.totalSupply.output, nothing, "primary")).toBe(
    '{"supply":[],"pagination":{"next_key":null,"total":"0"}}',
  );
  expect(print(ModeInfoSchema, nothing, "primary")).toBe("{}");
  expect(print(AuthInfoSchema, nothing, "primary")).toEndWith('"granter":""},"tip":null}');
  expect(print(TxSchema, nothing, "primary")).toEndWith('"signatures":[]}');
  expect(print(VersionInfoSchema, nothing, "primary")).toEndWith('"core_sdk_version":""}');
  expect(print(VersionInfoSchema, nothing, "ecosystem")).toEndWith('"cosmos_sdk_version":""}');
  expect(print(VerificationMethodSchema, nothing, "primary")).toStartWith('{"iD":"","type":"KeyType_UNSPECIFIED",');
});

test("of a oneof the member that was set last appears alone", () => {
  const [ed25519, secp256k1] = [fromHex("0a0101"), fromHex("120102")];
  const json = (...parts: Bytes[]) => print(PublicKeySchema, concatBytes(...parts), "primary");
  expect(json(ed25519, secp256k1)).toBe('{"secp256k1":"Ag=="}');
  expect(json(secp256k1, ed25519)).toBe('{"ed25519":"AQ=="}');
  expect(json(ed25519, secp256k1, ed25519)).toBe('{"ed25519":"AQ=="}');
});

test("optional fields appear when they are set, also when empty", () => {
  const bytes = toBinary(TxSchema, create(TxSchema, { raw: new Uint8Array(0), decodeError: "" })) as Bytes;
  for (const spelling of spellings) expect(print(TxSchema, bytes, spelling)).toEndWith('"raw":"","decode_error":""}');
});

test("the zero time of an absent signature is on the wire, and is year 1", () => {
  const bytes = fromHex("1a0b088092b8c398feffffff01");
  expect(print(CommitSigSchema, bytes, "primary")).toContain('"timestamp":"0001-01-01T00:00:00.000Z"');
  expect(print(CommitSigSchema, bytes, "ecosystem")).toContain('"timestamp":"0001-01-01T00:00:00Z"');
  expect(print(CommitSigSchema, fromHex("1a00"), "ecosystem")).toContain('"timestamp":"1970-01-01T00:00:00Z"');
});

test("lists of numbers may be packed, not packed, or both", () => {
  const expected = '"counts":["1","2","300"],"children"';
  for (const hex of [
    "1a040102ac02",
    "1801180218ac02",
    "18011a0302ac02",
    "1a0118011a0302ac02",
    "1a0101180218ac021a00",
  ]) {
    const bytes = fromHex(hex === "1a0118011a0302ac02" ? "1a01011a0302ac02" : hex);
    expect(print(CountedNodeSchema, bytes, "primary")).toContain(expected);
  }
  expect(print(CountedNodeSchema, fromHex("1a00"), "primary")).toContain('"counts":[],');
});

test("maps are sorted by key, and the last of equal keys counts", () => {
  const entry = (key: string, value: string) => concatBytes(field(1, utf8Encode(key)), field(2, utf8Encode(value)));
  const entries = [entry("b", "1"), entry("é", "2"), entry("a", "3"), entry("b", "4"), field(1, utf8Encode("c"))];
  const bytes = concatBytes(...entries.map((bytes) => field(4, bytes)));
  expect(print(ServiceSchema, bytes, "primary")).toContain('"service_endpoints":{"a":"3","b":"4","c":"","é":"2"}');
  const twice = concatBytes(field(4, entry("a", "1")), field(4, entry("a", "2")), field(4, entry("b", "3")));
  expect(print(ServiceSchema, twice, "primary")).toContain('"service_endpoints":{"a":"2","b":"3"}');
  const valueFirst = field(4, concatBytes(field(2, utf8Encode("v")), field(1, utf8Encode("k"))));
  expect(print(ServiceSchema, valueFirst, "primary")).toContain('"service_endpoints":{"k":"v"}');
});

test("text: what JSON must escape is escaped, and what is no UTF-8 is replaced", () => {
  const denom = (bytes: Bytes) => JSON.parse(print(CoinSchema, field(1, bytes), "primary")).denom;
  for (const text of ["", 'a"b', "a\\b", "\u0000\u001f\u007f", "\n\t", "ümläut", "日本語", "😀", "\ufeffx", "\u2028"]) {
    expect(denom(utf8Encode(text))).toBe(text);
  }
  expect(print(CoinSchema, field(1, utf8Encode("\u0001")), "primary")).toBe('{"denom":"\\u0001","amount":""}');
  expect(denom(fromHex("61ff62"))).toBe("a\ufffdb");
  expect(denom(fromHex("61c3"))).toBe("a\ufffd");
});

test("unknown fields are skipped, of every wire type", () => {
  const unknown = fromHex("f80101f90101020304050607 08fa0103010203fd0101020304".replaceAll(" ", ""));
  expect(print(CoinSchema, concatBytes(unknown, field(1, utf8Encode("uorr")), unknown), "primary")).toBe(
    '{"denom":"uorr","amount":""}',
  );
});

for (const [name, hex] of [
  ["a length beyond the end", "0a05616263"],
  ["a length beyond the message inside", "0a020a05ffffffffff"],
  ["a length of more than 32 bits", "0affffffff7f"],
  ["a length of 32 bits", "0affffffff0f61"],
  ["a length whose low bits would do", "0a818080801061"],
  ["a tag that ends early", "80"],
  ["a number that ends early", "1080"],
  ["a number of more than 64 bits", "10ffffffffffffffffff02"],
  ["field number 0", "0001"],
  ["a group", "0b"],
  ["an unknown wire type", "0f"],
  ["a known field with another wire type", "0801"],
  ["an unknown field that ends early", "7901"],
] as const) {
  test(`refused: ${name}`, () => {
    expect(() => print(DenomUnitSchema, fromHex(hex), "primary")).toThrow(WireError);
  });
}

test("times outside the years 1 to 9999 are refused", () => {
  for (const hex of ["1a0708ffffffffff7f", "1a0610808094ebdc03", "1a0b08ff91b8c398feffffff01"]) {
    expect(() => print(CommitSigSchema, fromHex(hex), "primary")).toThrow(WireError);
  }
});

test("the depth is bounded, and so is the work on messages that are out of order at every level", () => {
  // multi { mode_infos [inner] }, with the bit array behind the list that should follow it.
  const wrap = (inner: Bytes) => field(2, concatBytes(field(2, inner), field(1, new Uint8Array(0))));
  let bytes: Bytes = new Uint8Array(0);
  for (let level = 0; level < 31; level++) bytes = wrap(bytes);
  expect(print(ModeInfoSchema, bytes, "primary")).toBe(plainJson(ModeInfoSchema, bytes, "primary"));
  for (let level = 0; level < 2; level++) bytes = wrap(bytes);
  expect(() => print(ModeInfoSchema, bytes, "primary")).toThrow("levels deep");
});

test("random bytes are printed or refused, never anything else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
      try {
        JSON.parse(print(TxSchema, new Uint8Array(noise), "primary"));
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
      }
    }),
    { numRuns: 2000 },
  );
});

test("a refused message leaves nothing behind for the next one", () => {
  expect(() => print(CoinSchema, fromHex("0a0161ff"), "primary")).toThrow(WireError);
  expect(print(CoinSchema, fromHex("0a0161"), "primary")).toBe('{"denom":"a","amount":""}');
});

function print(desc: DescMessage, bytes: Bytes, spelling: "primary" | "ecosystem"): string {
  return utf8Decode(compileJson(desc, spelling)(bytes));
}

/** A length-delimited field of less than 128 bytes, or of more. */
function field(number: number, bytes: Bytes): Bytes {
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return concatBytes(new Uint8Array([number * 8 + 2, ...length]), bytes);
}
