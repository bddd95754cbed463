// The crash test of transactions: a node is killed again and again while clients send. What was acknowledged with its
// block, or was seen in a block, is there afterwards, once and at the same place. What was only waiting may be lost.

import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DevAccount } from "../../src/chain/dev-accounts.ts";
import { encodeAddress, parseAddress } from "../../src/codec/address.ts";
import { blockCodec } from "../../src/codec/block.ts";
import { type Bytes, fromBase64, fromHex, toBase64, toHex, utf8Encode } from "../../src/codec/bytes.ts";
import { sha256 } from "../../src/codec/hash.ts";
import { verifyHome } from "../../src/node.ts";
import { readCommitted } from "../../src/sources/block-records.ts";
import { homeFile } from "../../src/sources/home.ts";
import { getBalance } from "../../src/state/bank.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { DEV_CHAIN_ID, person, send, signerOf } from "../harness/dev-txs.ts";
import { seededRandom } from "../harness/random-changes.ts";
import { signedTx, type TxSigner } from "../harness/signed-tx.ts";
import { bundle } from "./bundle.ts";

const KILLS = 25;
/** Two that wait for their block each time, and one that sends ahead without waiting. */
const CAREFUL = [person("alice"), person("bob")];
const HASTY = person("carol");
const PATIENCE_MS = 600_000;
const JSON_BODY = { "content-type": "application/json" };
const PROGRAM = await bundle(join(import.meta.dir, "tx-chain.ts"));

/** By hash: the height of the block that a transaction was said to be in. */
type Places = Map<string, bigint>;
type Doors = { readonly api: string; readonly rpc: string };
type Child = Doors & AsyncDisposable & { kill(): Promise<void> };

const folder = mkdtempSync(join(tmpdir(), "orrery-kill-txs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  `${KILLS} times killed while transactions are sent`,
  async () => {
    const home = join(folder, "home");
    const random = seededRandom(4);
    const acknowledged: Places = new Map();
    const seen: Places = new Map();
    const sent = new Map<string, bigint>();
    for (let round = 0; round < KILLS; round++) {
      await using child = await start(home);
      await expectThere(child.rpc, newest(acknowledged, 40));
      const clients = Promise.all([
        ...CAREFUL.map((sender) => sendAndWait(child, sender, sent, acknowledged)),
        sendAhead(child, HASTY, sent),
        watchBlocks(child.rpc, seen),
      ]);
      let failed = false;
      clients.catch(() => {
        failed = true;
      });
      // However slow the machine is: the kill comes when transactions are under way, not before.
      for (const before = acknowledged.size; acknowledged.size < before + 2 && !failed; ) await Bun.sleep(5);
      await Bun.sleep(random(400));
      await child.kill();
      await clients;
      expect(await verifyHome({ home })).toEqual([]);
    }
    expect(acknowledged.size).toBeGreaterThan(KILLS);
    expect(seen.size).toBeGreaterThan(KILLS);
    await using child = await start(home);
    await expectThere(child.rpc, [...acknowledged, ...seen]);
    await child.kill();
    await expectOnce(home, sent, new Map([...acknowledged, ...seen]));
  },
  PATIENCE_MS,
);

async function start(home: string): Promise<Child> {
  const child = Bun.spawn([process.execPath, PROGRAM, home], { stdout: "pipe", stderr: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const [api, rpc] = new TextDecoder().decode(value).trim().split(" ");
  if (api === undefined || rpc === undefined) {
    child.kill("SIGKILL");
    throw new Error(`the node did not start: ${await new Response(child.stderr).text()}`);
  }
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { api, rpc, kill, [Symbol.asyncDispose]: kill };
}

/** One after the other, each only when the one before is in a block; until the node is gone. */
async function sendAndWait(
  doors: Doors,
  sender: DevAccount,
  sent: Map<string, bigint>,
  acknowledged: Places,
): Promise<void> {
  await untilGone(async () => {
    for (let signer = await fetchSigner(doors.api, sender); ; signer = { ...signer, sequence: signer.sequence + 1n }) {
      const tx = countedTx(signer, sender, sent);
      const { check_tx, deliver_tx, hash, height } = await call(doors.rpc, "broadcast_tx_commit", { tx: toBase64(tx) });
      if (check_tx.code !== 0 || deliver_tx.code !== 0) throw new Fault(`${check_tx.log} ${deliver_tx.log}`);
      acknowledged.set(hash, BigInt(height));
    }
  });
}

/** As fast as the mempool takes them. */
async function sendAhead(doors: Doors, sender: DevAccount, sent: Map<string, bigint>): Promise<void> {
  await untilGone(async () => {
    for (let signer = await fetchSigner(doors.api, sender); ; signer = { ...signer, sequence: signer.sequence + 1n }) {
      const { code, log } = await call(doors.rpc, "broadcast_tx_sync", {
        tx: toBase64(countedTx(signer, sender, sent)),
      });
      if (code !== 0) throw new Fault(log);
    }
  });
}

/** Notes every transaction that a block shows. */
async function watchBlocks(rpc: string, seen: Places): Promise<void> {
  await untilGone(async () => {
    for (;;) {
      const { block } = await call(rpc, "block", {});
      for (const tx of block.data.txs as string[]) seen.set(hashOf(fromBase64(tx)), BigInt(block.header.height));
      await Bun.sleep(20);
    }
  });
}

/** A fault is an answer that must not be; anything else that goes wrong is the kill. */
class Fault extends Error {}

async function untilGone(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (error instanceof Fault) throw error;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the shapes of these answers are another test's matter
async function call(rpc: string, method: string, params: Record<string, unknown>): Promise<any> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  let response = await fetch(rpc, { method: "POST", body, headers: JSON_BODY });
  // A slow machine is an overloaded node, which says so: what it turned away it has not taken.
  for (let tries = 0; response.status === 503 && tries < 100; tries++) {
    await Bun.sleep(100);
    response = await fetch(rpc, { method: "POST", body, headers: JSON_BODY });
  }
  const { result, error } = (await response.json()) as { result?: unknown; error?: { data: string } };
  if (error !== undefined) throw new Fault(`${method}: ${JSON.stringify(error)}`);
  return result;
}

async function fetchSigner(api: string, account: DevAccount): Promise<TxSigner> {
  const response = await fetch(`${api}/cosmos/auth/v1beta1/account_info/${account.address}`);
  const { info } = (await response.json()) as { info: { account_number: string; sequence: string } };
  return { ...account, accountNumber: BigInt(info.account_number), sequence: BigInt(info.sequence) };
}

/** What a sender gives goes to an account of its own, which thereby counts what was executed. */
function counterOf({ name }: DevAccount): string {
  return encodeAddress("cosmos", sha256(utf8Encode(`counter of ${name}`)).slice(0, 20) as Bytes);
}

function countedTx(signer: TxSigner, sender: DevAccount, sent: Map<string, bigint>): Bytes {
  const amount = 1_000n + BigInt(sent.size);
  const messages = [send(sender.address, counterOf(sender), amount)];
  const fee = [{ denom: "uorr", amount: "10" }];
  const tx = signedTx({ chainId: DEV_CHAIN_ID, messages, signers: [signer], gasLimit: 200_000n, fee });
  sent.set(hashOf(tx), amount);
  return tx;
}

async function expectThere(rpc: string, places: readonly (readonly [string, bigint])[]): Promise<void> {
  const lost: string[] = [];
  for (const [hash, height] of places) {
    const found = await call(rpc, "tx", { hash: toBase64(fromHex(hash.toLowerCase())) }).catch(String);
    const place = found.tx_result?.code === 0 ? found.height : JSON.stringify(found);
    if (place !== String(height)) lost.push(`${hash} of height ${height}: ${place}`);
  }
  expect(lost).toEqual([]);
}

/** The blocks themselves: no transaction twice, each where it was said to be, and the counters agree with them. */
async function expectOnce(home: string, sent: ReadonlyMap<string, bigint>, places: Places): Promise<void> {
  const store = openSqliteStore({ path: homeFile(home, "store"), readonly: true });
  try {
    const view = store.at(store.head()!);
    const found: Places = new Map();
    let given = 0n;
    for (let height = 1n; height <= view.height; height++) {
      const { block, results } = await readCommitted(view, height);
      for (const [i, tx] of blockCodec.decode(block).data.txs.entries()) {
        const hash = hashOf(tx);
        expect(found.has(hash)).toBe(false);
        expect(results.results[i]!.code).toBe(0);
        found.set(hash, height);
        given += sent.get(hash)!;
      }
    }
    for (const [hash, height] of places) expect([hash, found.get(hash)]).toEqual([hash, height]);
    let counted = 0n;
    let sequences = 0n;
    for (const sender of [...CAREFUL, HASTY]) {
      counted += await getBalance(view, parseAddress(counterOf(sender), "cosmos"), "uorr");
      sequences += (await signerOf(view, sender)).sequence;
    }
    expect(counted).toBe(given);
    expect(sequences).toBe(BigInt(found.size));
  } finally {
    await store.close();
  }
}

function newest(places: Places, count: number): [string, bigint][] {
  return [...places].slice(-count);
}

/** As RPC writes it. */
function hashOf(tx: Bytes): string {
  return toHex(sha256(tx)).toUpperCase();
}
