// Every read of the door, with an address that has something to answer on the development chain.

import type { Door, JsonObject } from "../harness/door.ts";

export const OWN = ["/", "/docs", "/openapi.json", "/chain.json", "/assetlist.json"];
const DID = "did:orr:cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4";

export type Read = { readonly id: string; readonly path: string };

/** From the examples of the node's own document: what is not there has no example, or is a POST. */
export async function readsOf(door: Door): Promise<Read[]> {
  const { paths } = (await door.get("/openapi.json")).body as { paths: Record<string, Record<string, JsonObject>> };
  const entries = Object.values(paths).flatMap(({ get }) => (get === undefined ? [] : [get]));
  const examples = entries.flatMap((entry) => {
    const content = ((entry.responses as JsonObject)["200"] as JsonObject).content as JsonObject;
    const { examples = {} } = content["application/json"] as { examples?: Record<string, { summary: string }> };
    return Object.entries(examples).map(([id, { summary }]) => ({ id, path: summary }));
  });
  const operations = examples.filter(({ path }) => !OWN.includes(path));
  const resolved = ["", "?versionId=1", "%23account"].map((rest) => ({
    id: "resolveDid",
    path: `/1.0/identifiers/${DID}${rest}`,
  }));
  return [...operations, ...resolved, ...OWN.map((path) => ({ id: path, path }))];
}
