// The rules of the identity module as a genesis gives them: a field that is not given has its default.

import { create, type DescField, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { isDidSegment, isMethodName } from "../codec/did.ts";
import { type Params, ParamsSchema } from "../gen/orrery/identity/v1/state_pb.ts";
import { DEFAULT_IDENTITY_PARAMS } from "../state/identity.ts";

const SUFFIX = /^(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** Throws with a sentence that names the field. */
export function parseIdentityParams(json: JsonObject): Params {
  const given = fromJson(ParamsSchema, json);
  const isGiven = (field: DescField) => Object.hasOwn(json, field.name) || Object.hasOwn(json, field.jsonName);
  const fields = ParamsSchema.fields.map((field) => {
    const name = field.localName as keyof typeof DEFAULT_IDENTITY_PARAMS;
    return [name, isGiven(field) ? given[name as keyof Params] : DEFAULT_IDENTITY_PARAMS[name]];
  });
  const params = create(ParamsSchema, Object.fromEntries(fields));
  checkParams(params);
  return params;
}

function checkParams(params: Params): void {
  if (!isMethodName(params.didMethodName)) throw new Error("did_method_name must be lower case letters and digits");
  for (const network of [params.didNetwork, ...params.allowedNetworks]) {
    if (!isDidSegment(network)) throw new Error(`${JSON.stringify(network)} cannot be a network segment of a DID`);
  }
  if (params.idPolicy !== "account" && params.idPolicy !== "open") throw new Error("id_policy must be account or open");
  for (const suffix of params.nameSuffixes) {
    if (!SUFFIX.test(suffix)) throw new Error(`name_suffixes: ${JSON.stringify(suffix)} must be like .orr`);
  }
  const limits = {
    max_verification_methods: params.maxVerificationMethods,
    max_services: params.maxServices,
    max_aliases: params.maxAliases,
    max_controllers: params.maxControllers,
    max_document_bytes: params.maxDocumentBytes,
  };
  for (const [name, limit] of Object.entries(limits)) if (limit === 0) throw new Error(`${name} must not be zero`);
}
