// Unmodified CosmJS against a real node: what a wallet or a dapp does all day.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  createMultisigThresholdPubkey,
  encodeSecp256k1Pubkey,
  makeCosmoshubPath,
  pubkeyToAddress,
  Secp256k1HdWallet,
} from "@cosmjs/amino";
import { DirectSecp256k1HdWallet, type OfflineSigner } from "@cosmjs/proto-signing";
import {
  assertIsDeliverTxSuccess,
  BroadcastTxError,
  calculateFee,
  coins,
  createProtobufRpcClient,
  GasPrice,
  isDeliverTxFailure,
  makeMultisignedTxBytes,
  QueryClient,
  SigningStargateClient,
  StargateClient,
  setupBankExtension,
} from "@cosmjs/stargate";
import { Comet38Client, connectComet, Tendermint37Client } from "@cosmjs/tendermint-rpc";
import { QueryClient as OlderQueryClient } from "cosmjs-stargate-0.32";
import { Tendermint37Client as OlderTendermint37Client } from "cosmjs-tendermint-rpc-0.32";
import { DEV_MNEMONIC, type DevAccount, devAccounts } from "../../src/chain/dev-accounts.ts";
import { encodeAddress, parseAddress } from "../../src/codec/address.ts";
import { concatBytes, utf8Decode, utf8Encode } from "../../src/codec/bytes.ts";
import { SimulateRequestSchema, SimulateResponseSchema } from "../../src/gen/cosmos/tx/v1beta1/service_pb.ts";
import { TxRawSchema } from "../../src/gen/cosmos/tx/v1beta1/tx_pb.ts";
import { cleanUp, orrery, temporaryFolder } from "./orrery.ts";

const DENOM = "uorr";
/** Nobody's. */
const STRANGER = encodeAddress("cosmos", new Uint8Array(20).fill(0xee));
const FEE = { amount: coins(5000, DENOM), gas: "200000" };

/** `index`: the last step of the path of the person's key. */
type Person = DevAccount & { readonly index: number };

const [alice, bob, carol] = devAccounts("cosmos").map((account, index) => ({ ...account, index })) as [
  Person,
  Person,
  Person,
];

let rpc: string;
let client: StargateClient;
beforeAll(async () => {
  const words = ["dev", "--home", temporaryFolder(), "--api", "127.0.0.1:0", "--block-time", "300ms"];
  const node = orrery(words);
  rpc = (await node.waitFor(/RPC door\s+(http:\/\/\S+:\d+)/, 20_000))[1]!;
  await node.waitFor(/block 3\b/, 10_000);
  client = await StargateClient.connect(rpc);
}, 40_000);
afterAll(async () => {
  client?.disconnect();
  await cleanUp();
});

describe("reading", () => {
  test("the client picks its protocol by what the node says", async () => {
    const comet = await connectComet(rpc);
    expect(comet).toBeInstanceOf(Tendermint37Client);
    expect(comet).not.toBeInstanceOf(Comet38Client);
    const status = await comet.status();
    expect(status.nodeInfo.version).toStartWith("0.37.");
    expect(status.syncInfo.catchingUp).toBe(false);
    expect(status.validatorInfo.votingPower).toBe(10n);
    expect(await comet.health()).toBeNull();
    expect((await comet.abciInfo()).lastBlockHeight).toBeGreaterThan(0);
    comet.disconnect();
  });

  test("height, chain, account, balances, blocks", async () => {
    const height = await client.getHeight();
    expect(height).toBeGreaterThan(0);
    expect(await client.getChainId()).toBe("orrery-1");
    expect(await client.getAccount(alice.address)).toMatchObject({ address: alice.address, accountNumber: 0n });
    expect(await client.getAccount(STRANGER)).toBeNull();
    const balances = await client.getAllBalances(bob.address);
    expect(balances.find(({ denom }) => denom === DENOM)).toEqual(await client.getBalance(bob.address, DENOM));
    expect(await client.getBalance(bob.address, "unothing")).toEqual({ denom: "unothing", amount: "0" });
    const block = await client.getBlock(height);
    expect(block.header).toMatchObject({ height, chainId: "orrery-1" });
    expect(block.id).toMatch(/^[0-9A-F]{64}$/);
    await expect(client.getBlock(999_999)).rejects.toThrow(/must be less than or equal to the current blockchain/);
  });

  test("every method of the low-level client", async () => {
    const comet = await Tendermint37Client.connect(rpc);
    const { header } = await comet.block(2).then(({ block }) => block);
    expect((await comet.blockResults(2)).height).toBe(2);
    expect((await comet.commit(1)).canonical).toBe(true);
    expect((await comet.validatorsAll(1)).total).toBe(1);
    expect((await comet.blockchain(1, 2)).blockMetas).toHaveLength(2);
    expect((await comet.blockSearchAll({ query: "block.height=2" })).blocks[0]?.block.header).toEqual(header);
    expect((await comet.genesis()).chainId).toBe("orrery-1");
    expect((await comet.numUnconfirmedTxs()).total).toBe(0);
    expect((await comet.txSearch({ query: "tx.height>1000000" })).totalCount).toBe(0);
    comet.disconnect();
  });

  test("supply and tokens", async () => {
    const comet = await Tendermint37Client.connect(rpc);
    const bank = QueryClient.withExtensions(comet, setupBankExtension).bank;
    expect((await bank.supplyOf(DENOM)).amount).toMatch(/^[1-9]\d+$/);
    expect((await bank.totalSupply()).supply.length).toBeGreaterThan(1);
    expect((await bank.denomMetadata(DENOM)).base).toBe(DENOM);
    comet.disconnect();
  });
});

test("the older line verifies what it is told: present and absent keys, newest and old heights", async () => {
  const comet = await OlderTendermint37Client.connect(rpc);
  const query = OlderQueryClient.withExtensions(comet);
  const head = (await comet.status()).syncInfo.latestBlockHeight;
  const account = accountKey(alice.address);
  for (const height of [2, head, undefined]) {
    const { value } = await query.queryStoreVerified("acc", account, height);
    expect(value.length).toBeGreaterThan(100);
    const absent = await query.queryStoreVerified("acc", accountKey(STRANGER), height);
    expect(absent.value).toHaveLength(0);
  }
  const supply = await query.queryStoreVerified("bank", concatBytes(Uint8Array.of(0), utf8Encode(DENOM)), head);
  expect(utf8Decode(supply.value)).toMatch(/^[1-9]\d+$/);
  comet.disconnect();
});

describe("sending", () => {
  test("direct", async () => {
    const before = await client.getBalance(bob.address, DENOM);
    const signer = await signing(direct(alice));
    const sent = await signer.sendTokens(alice.address, bob.address, coins(7, DENOM), FEE, "direct");
    assertIsDeliverTxSuccess(sent);
    expect(BigInt((await client.getBalance(bob.address, DENOM)).amount) - BigInt(before.amount)).toBe(7n);
    const found = await client.getTx(sent.transactionHash);
    expect(found).toMatchObject({ height: sent.height, hash: sent.transactionHash, code: 0, gasUsed: sent.gasUsed });
    expect(found?.events.some(({ type }) => type === "transfer")).toBe(true);
    const block = await client.getBlock(sent.height);
    expect(block.txs).toEqual([found!.tx]);
  });

  test("amino", async () => {
    const signer = await signing(amino(bob));
    const sent = await signer.sendTokens(bob.address, carol.address, coins(8, DENOM), FEE, "amino <&> é");
    assertIsDeliverTxSuccess(sent);
    expect((await client.getTx(sent.transactionHash))?.code).toBe(0);
  });

  test("simulated, then sent with the gas that the simulation found", async () => {
    const signer = await signing(direct(carol));
    const message = sendMessage(carol.address, alice.address, 9);
    const gas = await signer.simulate(carol.address, [message], "gas");
    // CosmJS simulates without a fee, whose payment takes gas of its own: its users add to what they are told.
    const fee = calculateFee(Math.ceil(gas * 1.4), GasPrice.fromString(`0.02${DENOM}`));
    const sent = await signer.signAndBroadcast(carol.address, [message], fee, "gas");
    assertIsDeliverTxSuccess(sent);
    expect(Number(sent.gasUsed)).toBeGreaterThan(gas);
    const automatic = await signer.signAndBroadcast(carol.address, [message], "auto", "auto");
    assertIsDeliverTxSuccess(automatic);
  });

  test("simulated with its fee and signature, and sent with exactly the gas that the simulation found", async () => {
    const signer = await signing(direct(carol));
    const messages = [sendMessage(carol.address, alice.address, 11)];
    const tx = async (gas: bigint) => {
      const raw = await signer.sign(carol.address, messages, { ...FEE, gas: String(gas) }, "exact");
      return toBinary(TxRawSchema, create(TxRawSchema, raw));
    };
    // Fees lie with their collector until the next block begins. A simulation is on the newest state, where those of the
    // block before still lie; with one block more it sees what the delivery will see.
    await blocksLater(1);
    // The limit is part of the bytes that are paid for: a guess of as many bytes as the result makes the size final.
    const simulated = await simulateBytes(await tx(100_000n));
    const exact = await tx(simulated);
    expect(await simulateBytes(exact)).toBe(simulated);
    const sent = await client.broadcastTx(exact, 10_000, 100);
    assertIsDeliverTxSuccess(sent);
    expect([sent.gasWanted, sent.gasUsed]).toEqual([simulated, simulated]);

    // One unit less is too little: the number is no estimate.
    await blocksLater(1);
    const short = await simulateBytes(await tx(100_000n));
    const failed = await client.broadcastTx(await tx(short - 1n), 10_000, 100);
    expect(failed).toMatchObject({ code: 11, gasWanted: short - 1n, gasUsed: short });
  });

  test("two of three", async () => {
    const shared = multisig();
    const account = await client.getAccount(shared.address);
    const data = { accountNumber: account!.accountNumber, sequence: account!.sequence, chainId: "orrery-1" };
    const messages = [sendMessage(shared.address, bob.address, 10)];
    const signatures = new Map<string, Uint8Array>();
    let body = new Uint8Array(0);
    for (const person of [alice, carol]) {
      const signer = await signing(amino(person));
      const { bodyBytes, signatures: own } = await signer.sign(person.address, messages, FEE, "together", data);
      signatures.set(person.address, own[0]!);
      body = new Uint8Array(bodyBytes);
    }
    const tx = makeMultisignedTxBytes(shared.pubkey, data.sequence, FEE, body, signatures);
    assertIsDeliverTxSuccess(await client.broadcastTx(tx, 10_000, 100));
    expect((await client.getAccount(shared.address))?.sequence).toBe(1);
    const onlyOne = new Map([...signatures].slice(0, 1));
    await expect(client.broadcastTx(makeMultisignedTxBytes(shared.pubkey, 1, FEE, body, onlyOne))).rejects.toThrow(
      BroadcastTxError,
    );
  });

  test("found again by their events", async () => {
    const byRecipient = await client.searchTx([
      { key: "transfer.sender", value: alice.address },
      { key: "transfer.recipient", value: bob.address },
    ]);
    expect(byRecipient.length).toBeGreaterThan(0);
    const [first] = byRecipient;
    const byHeight = await client.searchTx(`tx.height=${first!.height}`);
    expect(byHeight.map(({ hash }) => hash)).toContain(first!.hash);
    const apart = await client.searchTx([
      { key: "message.sender", value: alice.address },
      { key: "transfer.recipient", value: bob.address },
    ]);
    expect(apart).toEqual([]);
    expect(await client.getTx("00".repeat(32))).toBeNull();
  });
});

describe("failing", () => {
  test("in its block, with the reason and the fee paid", async () => {
    const signer = await signing(direct(alice));
    const { amount } = await client.getBalance(alice.address, DENOM);
    const tooMuch = [{ denom: DENOM, amount: String(BigInt(amount) + 1n) }];
    const failed = await signer.sendTokens(alice.address, bob.address, tooMuch, FEE);
    expect(isDeliverTxFailure(failed)).toBe(true);
    expect(failed).toMatchObject({ code: 5 });
    expect(failed.rawLog).toMatch(/is smaller than .*: insufficient funds/);
    expect(await client.getTx(failed.transactionHash)).toMatchObject({ code: 5, rawLog: failed.rawLog });
    const paid = BigInt(amount) - BigInt((await client.getBalance(alice.address, DENOM)).amount);
    expect(paid).toBe(5000n);
    const outOfGas = await signer.sendTokens(alice.address, bob.address, coins(1, DENOM), { ...FEE, gas: "50000" });
    expect(outOfGas).toMatchObject({ code: 11 });
  });

  test("before a block, with the code of the check", async () => {
    const signer = await signing(direct(alice));
    const data = { accountNumber: 0n, sequence: 999, chainId: "orrery-1" };
    const signed = await signer.sign(alice.address, [sendMessage(alice.address, bob.address, 1)], FEE, "", data);
    const error = await client
      .broadcastTx(toBinary(TxRawSchema, create(TxRawSchema, signed)))
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BroadcastTxError);
    expect(error).toMatchObject({ code: 32, codespace: "sdk" });
    await expect(client.broadcastTx(new Uint8Array([0, 0, 0]))).rejects.toMatchObject({ code: 2 });
  });
});

describe("on a WebSocket", () => {
  test("new blocks, headers and transactions", async () => {
    const comet = await Tendermint37Client.connect(rpc.replace("http:", "ws:"));
    try {
      const blocks = collect(comet.subscribeNewBlock(), 2);
      const headers = collect(comet.subscribeNewBlockHeader(), 2);
      const txs = collect(comet.subscribeTx(`transfer.recipient='${carol.address}'`), 1);
      await Bun.sleep(100);
      const signer = await signing(direct(alice));
      const sent = await signer.sendTokens(alice.address, carol.address, coins(3, DENOM), FEE);
      const [event] = await txs;
      expect(Buffer.from(event!.hash).toString("hex").toUpperCase()).toBe(sent.transactionHash);
      expect(event).toMatchObject({ height: sent.height, result: { code: 0 } });
      const heights = (await blocks).map(({ header }) => header.height);
      expect(heights[1]).toBe(heights[0]! + 1);
      expect((await headers)[0]).toMatchObject({ chainId: "orrery-1" });
      expect((await comet.status()).nodeInfo.network).toBe("orrery-1");
    } finally {
      comet.disconnect();
    }
  });
});

function direct(person: Person) {
  return DirectSecp256k1HdWallet.fromMnemonic(DEV_MNEMONIC, { hdPaths: [makeCosmoshubPath(person.index)] });
}

function amino(person: Person) {
  return Secp256k1HdWallet.fromMnemonic(DEV_MNEMONIC, { hdPaths: [makeCosmoshubPath(person.index)] });
}

async function signing(wallet: Promise<OfflineSigner>): Promise<SigningStargateClient> {
  return SigningStargateClient.connectWithSigner(rpc, await wallet, {
    gasPrice: GasPrice.fromString(`0.02${DENOM}`),
    broadcastPollIntervalMs: 100,
  });
}

/** What a simulation of these bytes says of their gas; CosmJS itself simulates only what it has built, without a fee. */
async function simulateBytes(txBytes: Uint8Array): Promise<bigint> {
  const comet = await Tendermint37Client.connect(rpc);
  const service = createProtobufRpcClient(new QueryClient(comet));
  const request = toBinary(SimulateRequestSchema, create(SimulateRequestSchema, { txBytes }));
  const response = await service.request("cosmos.tx.v1beta1.Service", "Simulate", request);
  comet.disconnect();
  return fromBinary(SimulateResponseSchema, response).gasInfo!.gasUsed;
}

async function blocksLater(count: number): Promise<void> {
  const wanted = (await client.getHeight()) + count;
  while ((await client.getHeight()) < wanted) await Bun.sleep(50);
}

/** Where the account lies in its store. */
function accountKey(address: string): Uint8Array {
  return concatBytes(Uint8Array.of(1), parseAddress(address, "cosmos"));
}

function sendMessage(fromAddress: string, toAddress: string, amount: number) {
  return { typeUrl: "/cosmos.bank.v1beta1.MsgSend", value: { fromAddress, toAddress, amount: coins(amount, DENOM) } };
}

/** Two of the first three people together: the development genesis has an account for them. */
function multisig() {
  const keys = [alice, bob, carol].map(({ publicKey }) => encodeSecp256k1Pubkey(publicKey));
  const pubkey = createMultisigThresholdPubkey(keys, 2);
  return { pubkey, address: pubkeyToAddress(pubkey, "cosmos") };
}

/** What of a stream is needed here; its type is of a package that CosmJS brings along. */
type Stream<T> = {
  subscribe(listener: { next(event: T): void; error(reason: unknown): void }): { unsubscribe(): void };
};

/** The first events of a stream, in their order; throws when they do not come. */
function collect<T>(stream: Stream<T>, count: number): Promise<T[]> {
  return new Promise((resolve, reject) => {
    const events: T[] = [];
    const timer = setTimeout(() => reject(new Error(`${events.length} of ${count} events came`)), 10_000);
    const subscription = stream.subscribe({
      next(event) {
        events.push(event);
        if (events.length < count) return;
        clearTimeout(timer);
        resolve(events);
        queueMicrotask(() => subscription.unsubscribe());
      },
      error: reject,
    });
  });
}
