// Whose key signs: one of the sample people's, or one that a file's mnemonic gives.

import { readFileSync } from "node:fs";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { type Bytes, fromHex } from "../codec/bytes.ts";
import type { SigningKey } from "../codec/sign-tx.ts";
import { samplePeople } from "../node.ts";
import { CommandError } from "./failure.ts";
import { reasonOf } from "./file-failure.ts";
import { UsageError } from "./flags.ts";

export type KeySource = { readonly from: string | undefined; readonly mnemonicFile: string | undefined };

/** The first address of a wallet of the ecosystem. */
const PATH = "m/44'/118'/0'/0/0";

export function readSigningKey({ from, mnemonicFile }: KeySource): SigningKey {
  if ((from === undefined) === (mnemonicFile === undefined)) {
    throw new UsageError("exactly one of --from and --mnemonic-file is needed");
  }
  return from === undefined ? keyOfFile(mnemonicFile!) : keyOfSample(from);
}

function keyOfSample(name: string): SigningKey {
  // The prefix does not matter for keys.
  const people = samplePeople("cosmos");
  const person = people.find((one) => one.name === name);
  if (person === undefined) {
    const names = people.map((one) => one.name).join(", ");
    throw new UsageError(`--from: ${JSON.stringify(name)} is none of ${names}; other keys come with --mnemonic-file`);
  }
  return { privateKey: fromHex(person.privateKeyHex), publicKey: person.publicKey };
}

function keyOfFile(path: string): SigningKey {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(`the mnemonic in ${path} cannot be read: ${reasonOf(error)}`);
  }
  const mnemonic = text.trim().split(/\s+/).join(" ");
  // Nothing of the text is repeated: it may be a secret with a slip in it.
  if (!validateMnemonic(mnemonic, wordlist)) throw new CommandError(`${path} holds no BIP-39 mnemonic in English`);
  const { privateKey, publicKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(PATH);
  return { privateKey: privateKey as Bytes, publicKey: publicKey as Bytes };
}
