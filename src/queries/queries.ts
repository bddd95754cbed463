// The 18 answers over one store: picks the height, opens the snapshot, calls the pure function, closes the snapshot.

import type { Body } from "../api/answer-body.ts";
import { ApiError, CODE, inFuture, notKept } from "../api/errors.ts";
import type { Answer, Queries, RequestOf } from "../api/operations.ts";
import { type GiveWay, givingWay, inOneGo, SHARE_MS } from "../give-way.ts";
import { HeightNotKept, type Snapshot, type Store } from "../store/store.ts";
import { listAccounts } from "./account.ts";
import { getToken, listBalances, listSpendableBalances, listSupply, listTokens } from "./bank.ts";
import { getBlock, getLatestBlock } from "./block.ts";
import { CountedSnapshot } from "./counted-snapshot.ts";
import { getDocument, listDocuments, lookUpDocument } from "./identity.ts";
import { type NodeInfo, nodeInfoResponse } from "./node.ts";
import { simulateTx } from "./simulate-tx.ts";
import { createSimulationGate } from "./simulation-gate.ts";
import { readSnapshot } from "./snapshot-read.ts";
import { listBlockTxs } from "./tx.ts";

/** The request header that picks a height; its name begins the message when the height cannot be had. */
const HEIGHT_PARAMETER = "x-cosmos-block-height";

export type QueryParts = {
  readonly store: Store;
  readonly info: NodeInfo;
  /** How long a read may take, in milliseconds. */
  readonly readTimeoutMs?: number;
};

export function createQueries({ store, info, readTimeoutMs }: QueryParts): Queries {
  const prefix = info.bech32Prefix;
  const answer = answerFrom(store, readTimeoutMs);
  const simulate = answer<RequestOf<"simulateTx">>((view, request, giveWay) =>
    simulateTx(view, request, info, giveWay),
  );
  const gate = createSimulationGate();
  return {
    listDocuments: answer(listDocuments),
    getDocument: answer(getDocument),
    getDocumentByKey: answer((view, { keyId }) => lookUpDocument(view, "key", "key_id", keyId)),
    getDocumentByService: answer((view, { serviceId }) => lookUpDocument(view, "service", "service_id", serviceId)),
    getDocumentByNetwork: answer((view, { networkId }) => lookUpDocument(view, "network", "network_id", networkId)),
    getDocumentByMethod: answer((view, { methodId }) => lookUpDocument(view, "method", "method_id", methodId)),
    getDocumentByAlias: answer((view, { akaId }) => lookUpDocument(view, "alias", "aka_id", akaId)),
    listTokens: answer(listTokens),
    getToken: answer(getToken),
    listSupply: answer(listSupply),
    listBalances: answer((view, request) => listBalances(view, request, prefix)),
    listSpendableBalances: answer((view, request) => listSpendableBalances(view, request, prefix)),
    listAccounts: answer(listAccounts),
    getBlock: answer((view, request) => getBlock(view, request, prefix)),
    getLatestBlock: answer((view) => getLatestBlock(view, prefix)),
    getNodeInfo: answer(async () => nodeInfoResponse(info)),
    listBlockTxs: answer(listBlockTxs),
    // No snapshot is held by those who wait.
    simulateTx: (request, height) => gate(() => simulate(request, height)),
  };
}

type Answering = <R>(
  respond: (view: Snapshot, request: R, giveWay: GiveWay) => Promise<Body>,
) => (request: R, height: bigint | undefined) => Promise<Answer>;

/**
 * Makes an answering function of a pure one: with the snapshot of the height that is asked for. Where its height is
 * dropped while the answer gives way to others, the newest one is asked once more, in one go. What takes too long is
 * ended where it gives way: there is no other moment at which anything could.
 */
export function answerFrom(store: Store, readTimeoutMs = READ_TIMEOUT_MS): Answering {
  const refuseLate = (elapsedMs: number) => {
    if (elapsedMs > readTimeoutMs) throw tooLate(readTimeoutMs);
  };
  return (respond) => async (request, height) => {
    // Written out, and not in layers: every read of every client goes through here.
    const view = new CountedSnapshot(viewAt(store, height));
    try {
      const body = await respond(view, request, givingWay(SHARE_MS, refuseLate));
      return { height: view.height, body, rows: view.rows };
    } catch (error) {
      if (!(error instanceof HeightNotKept)) throw error;
      if (!isNewest(height)) throw notKept(HEIGHT_PARAMETER, view.height, store.earliest()!, store.head()!);
      const newest = new CountedSnapshot(viewAt(store, height));
      const body = await readSnapshot(newest, (next) => respond(next, request, inOneGo));
      return { height: newest.height, body, rows: view.rows + newest.rows };
    } finally {
      view.close();
    }
  };
}

const READ_TIMEOUT_MS = 5000;

function tooLate(milliseconds: number): ApiError {
  return new ApiError(CODE.deadlineExceeded, `the answer was not ready within ${milliseconds} ms`);
}

/** The height asked for, or the newest. */
export function viewAt(store: Store, height: bigint | undefined): Snapshot {
  const head = store.head();
  const earliest = store.earliest();
  if (head === null || earliest === null) {
    throw new ApiError(CODE.unavailable, "the node is not ready; please wait for the first block");
  }
  const wanted = isNewest(height) ? head : height;
  if (wanted > head) throw inFuture(HEIGHT_PARAMETER, wanted, earliest, head);
  if (wanted < earliest) throw notKept(HEIGHT_PARAMETER, wanted, earliest, head);
  return store.at(wanted);
}

/** Zero means the newest, as the reference has it. */
function isNewest(height: bigint | undefined): height is undefined | 0n {
  return height === undefined || height === 0n;
}
