// The description of one token in a genesis file, with the reference's rules and sentences.

import { create } from "@bufbuild/protobuf";
import { isDenom } from "../codec/coin.ts";
import { type DenomUnit, DenomUnitSchema, type Metadata, MetadataSchema } from "../gen/cosmos/bank/v1beta1/bank_pb.ts";
import type { GenesisValue } from "./genesis-json.ts";

export function readMetadata(json: GenesisValue): Metadata {
  const fields = json.members("description", "denom_units", "base", "display", "name", "symbol", "uri", "uri_hash");
  const metadata = create(MetadataSchema, {
    description: fields.description.string(),
    denomUnits: fields.denom_units.list().map(readUnit),
    base: fields.base.string(),
    display: fields.display.string(),
    name: fields.name.string(),
    symbol: fields.symbol.string(),
    uri: fields.uri.string(),
    uriHash: fields.uri_hash.string(),
  });
  const fault = metadataFault(metadata) ?? unitsFault(metadata);
  if (fault !== null) throw json.error(fault, metadata.base);
  return metadata;
}

function readUnit(json: GenesisValue): DenomUnit {
  const { denom, exponent, aliases } = json.members("denom", "exponent", "aliases");
  return create(DenomUnitSchema, {
    denom: denom.string(),
    exponent: exponent.uint32(),
    aliases: aliases.list().map((alias) => alias.string()),
  });
}

function metadataFault({ name, symbol, base, display }: Metadata): string | null {
  if (name.trim() === "") return "name field cannot be blank";
  if (symbol.trim() === "") return "symbol field cannot be blank";
  if (!isDenom(base)) return `invalid metadata base denom: invalid denom: ${base}`;
  if (!isDenom(display)) return `invalid metadata display denom: invalid denom: ${display}`;
  return null;
}

/** The units ascend from the base, with exponent 0, and the display unit is one of them. */
function unitsFault({ denomUnits, base, display }: Metadata): string | null {
  const seen = new Set<string>();
  for (const [i, unit] of denomUnits.entries()) {
    if (i === 0 && unit.denom !== base) {
      return `metadata's first denomination unit must be the one with base denom '${base}'`;
    }
    if (i === 0 && unit.exponent !== 0) return `the exponent for base denomination unit ${base} must be 0`;
    if (i > 0 && unit.exponent <= denomUnits[i - 1]!.exponent) return "denom units should be sorted asc by exponent";
    if (seen.has(unit.denom)) return `duplicate denomination unit ${unit.denom}`;
    seen.add(unit.denom);
    const fault = unitFault(unit);
    if (fault !== null) return fault;
  }
  return seen.has(display) ? null : `metadata must contain a denomination unit with display denom '${display}'`;
}

function unitFault({ denom, aliases }: DenomUnit): string | null {
  if (!isDenom(denom)) return `invalid denom unit: invalid denom: ${denom}`;
  const repeated = aliases.find((alias, i) => aliases.indexOf(alias) !== i);
  if (repeated !== undefined) return `duplicate denomination unit alias ${repeated}`;
  return aliases.some((alias) => alias.trim() === "") ? `alias for denom unit ${denom} cannot be blank` : null;
}
