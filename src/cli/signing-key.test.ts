import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { DEV_MNEMONIC } from "../chain/dev-accounts.ts";
import { sha256 } from "../codec/hash.ts";
import { directSignBytes } from "../codec/sign-doc.ts";
import { signTx, unsignedTx } from "../codec/sign-tx.ts";
import { decodeTx } from "../codec/tx.ts";
import { readSigningKey } from "./signing-key.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-key-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, "mnemonic");
  writeFileSync(path, text);
  return path;
}

const read = (from?: string, mnemonicFile?: string) => readSigningKey({ from, mnemonicFile });

test("a mnemonic gives the first key of a wallet, however it is laid out", () => {
  const alice = read("alice");
  expect(read(undefined, file(`  ${DEV_MNEMONIC.replaceAll(" ", "\n")}\n`))).toEqual(alice);
  expect(read("bob").publicKey).not.toEqual(alice.publicKey);
});

describe("refused", () => {
  const rows: [what: string, source: () => [from?: string | undefined, mnemonicFile?: string], reason: string][] = [
    ["none", () => [], "exactly one of --from and --mnemonic-file"],
    ["both", () => ["alice", "f"], "exactly one of --from and --mnemonic-file"],
    ["a stranger", () => ["eve"], '--from: "eve" is none of alice, bob,'],
    ["a file that is not there", () => [undefined, join(folder, "none")], "there is no such file"],
    ["a file with something else", () => [undefined, file("abandon abandon")], "holds no BIP-39 mnemonic"],
  ];
  test.each(rows)("%s", (_what, source, reason) => {
    expect(() => read(...source())).toThrow(reason);
  });

  test("without repeating what the file holds", () => {
    const secret = DEV_MNEMONIC.replace("about", "abuot");
    expect(() => read(undefined, file(secret))).toThrow(/^((?!abandon).)*$/);
  });
});

test("a transaction is signed over its own bytes, for one chain and account", () => {
  const key = read("alice");
  const signer = { key, chainId: "orrery-1", accountNumber: 7n, sequence: 3n };
  const draft = { messages: [], memo: "hello", fee: [{ denom: "uorr", amount: 5n }], gasLimit: 90n };
  const tx = decodeTx(signTx(draft, signer));
  expect(tx.body.memo).toBe("hello");
  expect(tx.authInfo).toMatchObject({ signerInfos: [{ sequence: 3n }], fee: { gasLimit: 90n } });
  const signed = sha256(directSignBytes(tx.bodyBytes, tx.authInfoBytes, signer));
  expect(secp256k1.verify(tx.signatures[0]!, signed, key.publicKey, { prehash: false })).toBe(true);
  expect(decodeTx(unsignedTx(draft, signer)).signatures).toEqual([new Uint8Array(0)]);
});
