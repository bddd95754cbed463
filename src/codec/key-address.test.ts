// Addresses of keys and modules: published vectors, and the people of a recorded chain.

import { expect, test } from "bun:test";
import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { ModuleCredentialSchema } from "../gen/cosmos/auth/v1beta1/auth_pb.ts";
import { PubKeySchema as Ed25519Schema } from "../gen/cosmos/crypto/ed25519/keys_pb.ts";
import { LegacyAminoPubKeySchema } from "../gen/cosmos/crypto/multisig/keys_pb.ts";
import { PubKeySchema as Secp256k1Schema } from "../gen/cosmos/crypto/secp256k1/keys_pb.ts";
import { PubKeySchema as Secp256r1Schema } from "../gen/cosmos/crypto/secp256r1/keys_pb.ts";
import { encodeAddress } from "./address.ts";
import { fromBase64, toHex, utf8Encode } from "./bytes.ts";
import { accountAddressOf, moduleAddress, type PubKeyAny } from "./key-address.ts";

const keys = await Bun.file(new URL("../../test/fixtures/keys.json", import.meta.url)).json();

const FIRST = "Anm+Zn753LusVaBilc6HCwcCm/zbLc4o2VnygVsW+BeY";
const SECOND = "AsYEf5RB7X1tMEVAbpXAfNhcd45LjO88p6usCblccJ7l";

test("keys own the accounts that the reference says", () => {
  expect(toHex(accountAddressOf(secp256k1(FIRST)))).toBe("751e76e8199196d454941c45d1b3a323f1433bd6");
  const r1 = any(Secp256r1Schema, { key: fromBase64("A2sX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKW") });
  expect(toHex(accountAddressOf(r1))).toBe("a51416fcf850e703d2d5188f615a74f141a7d3219faa7d3a3e754363ac978bdd");
  expect(encodeAddress("idx", accountAddressOf(r1))).toBe(
    "idx1552pdl8c2rns85k4rz8kzkn579q605epn7486w37w4pk8tyh30wss43nv6",
  );
  const ed = any(Ed25519Schema, { key: fromBase64("11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=") });
  expect(toHex(accountAddressOf(ed))).toBe("21fe31dfa154a261626bf854046fd2271b7bed4b");
});

test("a multisig key owns an account that depends on the order of its members", () => {
  const both = [secp256k1(FIRST), secp256k1(SECOND)];
  const address = accountAddressOf(any(LegacyAminoPubKeySchema, { threshold: 2, publicKeys: both }));
  expect(toHex(address)).toBe("7c6d21d9dafbfa5fe5fd781ed8208fe1175912fd");
  expect(encodeAddress("idx", address)).toBe("idx103kjrkw6l0a9le0a0q0dsgy0uyt4jyhacuhnt4");
  const turned = accountAddressOf(any(LegacyAminoPubKeySchema, { threshold: 2, publicKeys: both.reverse() }));
  expect(turned).not.toEqual(address);
});

test("modules own the accounts that the reference says", () => {
  const addressOf = (name: string) => encodeAddress("cosmos", moduleAddress(name));
  expect(toHex(moduleAddress("fee_collector"))).toBe("f1829676db577682e944fc3493d451b67ff3e29f");
  expect(addressOf("mint")).toBe("cosmos1m3h30wlvsf8llruxtpukdvsy0km2kum8g38c8q");
  expect(addressOf("gov")).toBe("cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn");
  expect(addressOf("distribution")).toBe("cosmos1jv65s3grqf6v6jl3dp4t6c9t9rk99cd88lyufl");
  const vault = "a18450aeaeebb1c98391700b0aad79644c49f30d98b9a202244526986ce7cc13";
  expect(toHex(moduleAddress("identity", utf8Encode("vault")))).toBe(vault);
  const credential = any(ModuleCredentialSchema, { moduleName: "identity", derivationKeys: [utf8Encode("vault")] });
  expect(toHex(accountAddressOf(credential))).toBe(vault);
});

test("the people of the recorded chain", () => {
  const people: { address: string; pubkey: string }[] = Object.values(keys.people);
  expect(people.length).toBeGreaterThan(7);
  for (const { address, pubkey } of people) {
    expect(encodeAddress("cosmos", accountAddressOf(secp256k1(pubkey)))).toBe(address);
  }
});

test("keys of a wrong length or kind own nothing", () => {
  expect(() => accountAddressOf(any(Secp256k1Schema, { key: new Uint8Array(32) }))).toThrow("32 bytes, expected 33");
  expect(() => accountAddressOf({ typeUrl: "/a.B", value: new Uint8Array(0) })).toThrow("type /a.B is not known");
  const r1 = any(Secp256r1Schema, { key: new Uint8Array(33) });
  expect(() => accountAddressOf(any(LegacyAminoPubKeySchema, { threshold: 1, publicKeys: [r1] }))).toThrow("multisig");
});

function secp256k1(key: string): PubKeyAny {
  return any(Secp256k1Schema, { key: fromBase64(key) });
}

function any<D extends DescMessage>(
  schema: D,
  init: MessageInitShape<D>,
): PubKeyAny & { $typeName: "google.protobuf.Any" } {
  const value = toBinary(schema, create(schema, init));
  return { $typeName: "google.protobuf.Any", typeUrl: `/${schema.typeName}`, value };
}
