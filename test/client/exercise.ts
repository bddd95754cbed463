// What a program does with the client, the same in Bun, Node and a browser: every operation, a walk, a pinned height,
// an error. It imports nothing at run time, so that it can be handed to any of them with its types taken away.

import type { OrreryError as ClientError, createClient as createAny } from "../../src/client/client.ts";

export type ClientModule = { readonly createClient: typeof createAny; readonly OrreryError: typeof ClientError };

export type Task = {
  readonly url: string;
  /** A signed transfer, in base64. */
  readonly txBytes: string;
  /** The height of a block with one transaction. */
  readonly transferHeight: number;
  /** An account of the chain with several balances. */
  readonly address: string;
  /** An address where nobody listens. */
  readonly deadUrl: string;
};

/** Plain JSON, so that it can come back from another process. */
export async function exercise(module: ClientModule, task: Task): Promise<object> {
  return JSON.parse(
    JSON.stringify(
      { operations: await operations(module, task), walks: await walks(module, task), rest: await rest(module, task) },
      (_name, value) => (typeof value === "bigint" ? `${value}n` : value),
    ),
  );
}

/** All 18, through an endpoint list whose first one is dead. */
async function operations({ createClient }: ClientModule, task: Task): Promise<object> {
  const client = createClient([task.deadUrl, task.url]);
  const { didDocument: documents } = await client.listDocuments();
  const document = documents.find(({ service, also_known_as }) => service.data.length > 0 && also_known_as.length > 0)!;
  const own = document.iD;
  const { didDocument } = await client.getDocument({ did: own });
  const byKey = await client.getDocumentByKey({ key_id: own });
  const byService = await client.getDocumentByService({ service_id: document.service.data[0]!.iD });
  const byNetwork = await client.getDocumentByNetwork({ network_id: "testnet" });
  const byMethod = await client.getDocumentByMethod({ method_id: document.verification_method.data[0]!.iD });
  const byAlias = await client.getDocumentByAlias({ aka_id: document.also_known_as[0]! });
  const { metadatas } = await client.listTokens();
  const { metadata } = await client.getToken({ denom: "uorr" });
  const { supply } = await client.listSupply();
  const { balances } = await client.listBalances({ address: task.address });
  const { balances: spendable } = await client.listSpendableBalances({ address: task.address });
  const { accounts, pagination } = await client.listAccounts({ pagination: { limit: 3, count_total: true } });
  const { block } = await client.getBlock({ height: task.transferHeight });
  const latest = await client.getLatestBlock();
  const { default_node_info } = await client.getNodeInfo();
  const { txs } = await client.listBlockTxs({ height: task.transferHeight });
  const { gas_info } = await client.simulateTx({ tx_bytes: task.txBytes });
  return {
    own,
    found: [didDocument, byKey.didDocument, byService.didDocument, byMethod.didDocument, byAlias.didDocument].map(
      ({ iD }) => iD,
    ),
    byNetwork: byNetwork.didDocument.iD,
    tokens: metadatas.map(({ base }) => base),
    token: metadata.symbol,
    supply: supply.length,
    balances,
    spendable,
    accounts: [accounts.length, pagination.total],
    blocks: [block.header.height, block.data.txs.length, latest.sdk_block.header.height],
    network: default_node_info.network,
    messages: txs.map(({ body }) => body.messages.map((message) => message["@type"])),
    gasUsed: gas_info.gas_used,
  };
}

async function walks({ createClient }: ClientModule, { url, address }: Task): Promise<object> {
  const client = createClient(url, { integers: "bigint" });
  const heights: bigint[] = [];
  const sizes: number[] = [];
  for await (const { answer, height } of client.listAccounts.pages({ pagination: { limit: 4 } })) {
    heights.push(height);
    sizes.push(answer.accounts.length);
  }
  let total = 0n;
  for await (const { amount } of client.listSupply.all({ pagination: { limit: 2, reverse: true } })) total += amount;
  const then = client.at(1);
  const before = (await then.listBalances({ address })).balances.find(({ denom }) => denom === "uorr")!.amount;
  const now = (await client.listBalances({ address })).balances.find(({ denom }) => denom === "uorr")!.amount;
  return {
    sizes,
    heights: [...new Set(heights)],
    total,
    spent: before - now,
    pinned: (await then.getNodeInfo.read()).height,
  };
}

async function rest({ createClient, OrreryError }: ClientModule, { url }: Task): Promise<object> {
  const client = createClient(url);
  const thrown = async (call: Promise<unknown>) => {
    const error = await call.catch((reason: unknown) => reason);
    if (!(error instanceof OrreryError)) return String(error);
    const { code, status, parameter, message, details } = error;
    return { code, status, parameter, message, details: details.map((detail) => detail["@type"]) };
  };
  const stop = new AbortController();
  stop.abort(new Error("enough"));
  return {
    badAddress: await thrown(client.listBalances({ address: "nobody" })),
    unknownDid: await thrown(client.getDocument({ did: "did:orr:unknown" })),
    future: await thrown(client.at(1_000_000).listSupply()),
    noTx: await thrown(client.simulateTx({ tx_bytes: Uint8Array.of(1, 2, 3) })),
    aborted: await thrown(client.listSupply({}, { signal: stop.signal })),
  };
}
