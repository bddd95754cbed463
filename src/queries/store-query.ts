// Raw keys of the stores for those who have no RPC door at hand. A refusal is an answer with its code, as it is there.

import { create, toBinary } from "@bufbuild/protobuf";
import { invalid } from "../api/errors.ts";
import type { NeighbourRequest } from "../api/neighbours.ts";
import type { Answer } from "../api/operations.ts";
import { type Bytes, EMPTY } from "../codec/bytes.ts";
import { ABCIQueryResponseSchema, ProofOpsSchema } from "../gen/cosmos/base/tendermint/v1beta1/query_pb.ts";
import type { Store } from "../store/store.ts";
import { queryStorePath } from "./abci-query.ts";

/** A height in the request goes before `atHeight`, the one that all operations can be asked at. */
export async function queryStore(
  store: Store,
  { path, data, height, prove }: NeighbourRequest<"queryStore">,
  atHeight: bigint | undefined,
): Promise<Answer> {
  if (!path.startsWith("/store/")) throw invalid("path", `unsupported ABCI query path: ${path}`);
  const wanted = height === 0n ? (atHeight ?? 0n) : height;
  const answer = await queryStorePath(store, { path, data: data as Bytes, height: wanted, prove });
  const { proof, key, value, ...rest } = answer;
  const response = create(ABCIQueryResponseSchema, { ...rest, key: key ?? EMPTY, value: value ?? EMPTY });
  if (proof !== null) response.proofOps = create(ProofOpsSchema, { ops: proof.map((op) => ({ ...op })) });
  const body = toBinary(ABCIQueryResponseSchema, response) as Bytes;
  return { height: answer.code === 0 ? answer.height : (store.head() ?? 0n), body };
}
