// What all commands of `orrery tx` share: their flags, and the way of a transaction from its messages to its block.

import type { Any } from "@bufbuild/protobuf/wkt";
import { createClient } from "../client/client.ts";
import { encodeAddress } from "../codec/address.ts";
import { type Bytes, toHex } from "../codec/bytes.ts";
import type { Coin } from "../codec/coin.ts";
import { hash160 } from "../codec/hash.ts";
import { signTx, type TxDraft, type TxSigner, unsignedTx } from "../codec/sign-tx.ts";
import { txHash } from "../codec/tx.ts";
import { samplePeople } from "../node.ts";
import { EXIT, json, node } from "./command.ts";
import { CommandError } from "./failure.ts";
import type { Flag, FlagValues } from "./flags.ts";
import { broadcast, readBech32Prefix, readSender, type TxResponse, waitForTx } from "./rest.ts";
import { readSigningKey } from "./signing-key.ts";
import { txText } from "./tx-text.ts";
import { parseCoinList, parseDuration, parseGas, parsePath, parseText } from "./values.ts";

const from: Flag<string, null> = {
  placeholder: "NAME",
  about: "a sample account that signs and pays: alice, bob, carol, dave, erin, frank, grace, heidi, ivan or judy",
  fallback: null,
  parse: parseText,
  variable: false,
};

const mnemonicFile: Flag<string, null> = {
  placeholder: "FILE",
  about: "in place of --from: a file with the mnemonic of the account that signs and pays",
  fallback: null,
  parse: parsePath,
  variable: false,
};

const fees: Flag<readonly Coin[], null> = {
  placeholder: "COINS",
  about: "the fee, such as 500uorr (default none)",
  fallback: null,
  parse: parseCoinList,
  variable: false,
};

const gas: Flag<bigint | "auto"> = {
  placeholder: "N|auto",
  about: "the gas limit; auto simulates, and takes 1.3 times what that used",
  fallback: "auto",
  parse: parseGas,
  variable: false,
};

const memo: Flag<string, null> = {
  placeholder: "TEXT",
  about: "a note that goes with the transaction, for everyone to read",
  fallback: null,
  parse: parseText,
  variable: false,
};

const wait: Flag<number> = {
  placeholder: "TIME",
  about: "how long to wait for the block",
  fallback: "30s",
  parse: parseDuration,
  variable: false,
};

export const TX_FLAGS = { from, mnemonicFile, fees, gas, memo, wait, json, node };

export type Sender = TxSigner & {
  readonly address: string;
  /** The address itself, or that of a sample account by its name. */
  addressOf(given: string): string;
};

export async function sendTx(
  values: FlagValues<typeof TX_FLAGS>,
  messagesOf: (sender: Sender) => readonly Any[],
): Promise<number> {
  const sender = await openSender(values);
  const messages = messagesOf(sender);
  const draft = { messages, memo: values.memo ?? "", fee: values.fees ?? [], gasLimit: 0n };
  const gasLimit = values.gas === "auto" ? await simulatedGas(values.node, draft, sender) : values.gas;
  const done = await deliver(values, signTx({ ...draft, gasLimit }, sender));
  if (values.json) process.stdout.write(`${JSON.stringify(done)}\n`);
  if (done.code !== 0) throw new CommandError(`${done.raw_log} (transaction ${done.txhash}, height ${done.height})`);
  if (!values.json) process.stdout.write(`${txText(done)}\n`);
  return EXIT.ok;
}

async function openSender({ from, mnemonicFile, node }: FlagValues<typeof TX_FLAGS>): Promise<Sender> {
  const key = readSigningKey({ from, mnemonicFile });
  const prefix = await readBech32Prefix(node);
  const address = encodeAddress(prefix, hash160(key.publicKey));
  return {
    key,
    address,
    ...(await readSender(node, address)),
    addressOf(given) {
      const person = samplePeople(prefix).find(({ name }) => name === given);
      if (person === undefined) return given;
      // Whoever sends to them gives to everyone: not by a slip, and not what was somebody's own.
      if (from === undefined) throw new CommandError(`${given} stands for a sample account only with --from`);
      return person.address;
    },
  };
}

async function simulatedGas(node: string, draft: TxDraft, sender: Sender): Promise<bigint> {
  const client = createClient(node, { retries: 1, integers: "bigint" });
  const { gas_info } = await client.simulateTx({ tx_bytes: unsignedTx(draft, sender) });
  return (gas_info.gas_used * 13n + 9n) / 10n;
}

async function deliver({ node, wait }: FlagValues<typeof TX_FLAGS>, tx: Bytes): Promise<TxResponse> {
  const hash = toHex(txHash(tx)).toUpperCase();
  const checked = await broadcast(node, tx);
  if (checked.code !== 0) throw new CommandError(checked.raw_log);
  const done = await waitForTx(node, hash, wait);
  if (done !== null) return done;
  const place = `${node}/cosmos/tx/v1beta1/txs/${hash}`;
  throw new CommandError(`sent, but in no block after ${wait / 1000}s; look for it at ${place}`);
}
