// The resources of the interface document, part 2, each under the number of its section.

import {
  boolean,
  bytes,
  enumeration,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  type Shape,
  string,
  stringMap,
  timestamp,
  typed,
} from "./interface-shapes.ts";

// 2.1. `next_key` is null behind the last page (design.md).
export const pagination = object({ next_key: nullable(bytes), total: integer });

// 2.2. An amount has up to 256 bits.
export const coin = object({ denom: string, amount: integer });

// 2.3
export const token = object({
  description: string,
  denom_units: list(object({ denom: string, exponent: number, aliases: list(string) })),
  base: string,
  display: string,
  name: string,
  symbol: string,
  uri: string,
  uri_hash: string,
});

// 2.4, in its two variants.
const listedMethod = {
  iD: string,
  type: enumeration(/^KeyType_[A-Z0-9_]+$/),
  controller: string,
  public_key_jwk: stringMap,
  public_key_multibase: string,
};
const webauthnCredential = object({
  id: string,
  public_key: string,
  attestation_type: string,
  authenticator_transport: string,
  authenticator: object({ aaguid: string, sign_count: number, clone_warning: boolean }),
});
const foundMethod = {
  ...listedMethod,
  blockchain_account_id: string,
  webauthn_credential: nullable(webauthnCredential),
};
const service = (type: Shape) => object({ iD: string, type, service_endpoint: string, service_endpoints: stringMap });

export const listedDocument = document(object(listedMethod), service(string));
export const foundDocument = document(object(foundMethod), service(enumeration(/^ServiceType_[A-Z0-9_]+$/)));

function document(method: Shape, serviceEntry: Shape): Shape {
  const data = (element: Shape) => object({ data: list(element) });
  const relationship = data(object({ verification_method: nullable(method), reference: string }));
  return object({
    context: list(string),
    creator: string,
    iD: string,
    controller: list(string),
    verification_method: data(method),
    authentication: relationship,
    assertion_method: relationship,
    capability_invocation: relationship,
    capability_delegation: relationship,
    key_agreement: relationship,
    service: data(serviceEntry),
    also_known_as: list(string),
  });
}

// 2.5
export const blockId = object({ hash: bytes, part_set_header: object({ total: number, hash: bytes }) });
const header = (proposer: Shape) =>
  object({
    version: object({ block: integer, app: integer }),
    chain_id: string,
    height: integer,
    time: timestamp,
    last_block_id: blockId,
    last_commit_hash: bytes,
    data_hash: bytes,
    validators_hash: bytes,
    next_validators_hash: bytes,
    consensus_hash: bytes,
    app_hash: bytes,
    last_results_hash: bytes,
    evidence_hash: bytes,
    proposer_address: proposer,
  });
const commit = object({
  height: integer,
  round: number,
  block_id: blockId,
  signatures: list(
    object({
      block_id_flag: enumeration(/^BLOCK_ID_FLAG_[A-Z]+$/),
      validator_address: bytes,
      timestamp,
      signature: bytes,
    }),
  ),
});
const vote = object({
  type: enumeration(/^SIGNED_MSG_TYPE_[A-Z]+$/),
  height: integer,
  round: number,
  block_id: blockId,
  timestamp,
  validator_address: bytes,
  validator_index: number,
  signature: bytes,
});
const validator = object({
  address: bytes,
  pub_key: oneOf({ ed25519: bytes, secp256k1: bytes }),
  voting_power: integer,
  proposer_priority: integer,
});
const evidence = oneOf({
  duplicate_vote_evidence: object({
    vote_a: vote,
    vote_b: vote,
    total_voting_power: integer,
    validator_power: integer,
    timestamp,
  }),
  light_client_attack_evidence: object({
    conflicting_block: object({
      signed_header: object({ header: header(bytes), commit }),
      validator_set: object({ validators: list(validator), proposer: validator, total_voting_power: integer }),
    }),
    common_height: integer,
    byzantine_validators: list(validator),
    total_voting_power: integer,
    timestamp,
  }),
});

/** `proposer`: bytes in a block, the bech32 text of a consensus address in an SDK block. */
export function block(proposer: Shape): Shape {
  return object({
    header: header(proposer),
    data: object({ txs: list(bytes) }),
    evidence: object({ evidence: list(evidence) }),
    last_commit: commit,
  });
}

// 2.6. Mode infos contain mode infos.
const modeInfo: Shape = (value, place, look) =>
  oneOf({
    single: object({ mode: enumeration(/^SIGN_MODE_[A-Z0-9_]+$/) }),
    multi: object({ bitarray: object({ extra_bits_stored: number, elems: bytes }), mode_infos: list(modeInfo) }),
  })(value, place, look);

const txFields = {
  body: object({
    messages: list(typed),
    memo: string,
    timeout_height: integer,
    extension_options: list(typed),
    non_critical_extension_options: list(typed),
  }),
  auth_info: object({
    signer_infos: list(object({ public_key: nullable(typed), mode_info: modeInfo, sequence: integer })),
    fee: object({ amount: list(coin), gas_limit: integer, payer: string, granter: string }),
    tip: nullable(object({ amount: list(coin), tipper: string })),
  }),
  signatures: list(bytes),
};

export const transaction = object(txFields);

/** Ours, beyond the document: a block may hold bytes that are no transaction, and none may be dropped (design.md). */
export const undecodable = object({ ...txFields, raw: bytes, decode_error: string });

// 2.7
export const nodeInfo = object({
  default_node_info: object({
    protocol_version: object({ p2p: integer, block: integer, app: integer }),
    default_node_id: string,
    listen_addr: string,
    network: string,
    version: string,
    channels: string,
    moniker: string,
    other: object({ tx_index: string, rpc_address: string }),
  }),
  application_version: object({
    name: string,
    app_name: string,
    version: string,
    git_commit: string,
    build_tags: string,
    go_version: string,
    core_sdk_version: string,
    build_deps: list(object({ path: string, version: string, sum: string })),
  }),
});
