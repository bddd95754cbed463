// Random sequences of identity messages against a plain model of what a registry of identities is.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { type DocumentInit, didOf, IdentityChain, PEOPLE } from "../../test/harness/identity-chain.ts";
import { decodeDocument, getDocument, getMeta, getNameHolder, getVersion } from "../state/identity.ts";

const ADDRESSES = PEOPLE.slice(0, 4).map(({ address }) => address);
const NAMES = ["one.orr", "two.orr", "three.orr"];

type Entry = { creator: number; controllers: number[]; names: string[]; history: (string | null)[]; active: boolean };

/** A registry without keys and bytes: people are numbers, and each has at most one identity. */
class Model {
  readonly entries = new Map<number, Entry>();

  apply({ kind, signer, subject, controllers, names, expected }: Step): string {
    const entry = this.entries.get(subject);
    if (kind === "create") {
      if (signer !== subject) return "identity 1102";
      if (entry !== undefined) return entry.active ? "identity 1101" : "identity 1105";
    } else {
      if (entry === undefined) return "identity 1100";
      if (!entry.active) return "identity 1105";
      if (!this.#controls(signer, subject, entry)) return "identity 1104";
      if (expected !== 0 && expected !== entry.history.length) return "identity 1106";
    }
    if (kind === "deactivate") {
      Object.assign(entry!, { active: false, names: [], history: [...entry!.history, null] });
      return "ok";
    }
    const content = contentOf(controllers, names);
    if (entry !== undefined && content === entry.history.at(-1)) return "identity 1103";
    for (const controller of controllers) {
      if (controller !== subject && !this.entries.get(controller)?.active) return "identity 1103";
    }
    for (const [other, { names: held }] of this.entries) {
      if (other !== subject && names.some((name) => held.includes(name))) return "identity 1107";
    }
    const history = [...(entry?.history ?? []), content];
    this.entries.set(subject, { creator: subject, controllers, names, history, active: true });
    return "ok";
  }

  #controls(signer: number, subject: number, { creator, controllers }: Entry): boolean {
    if (controllers.includes(signer)) return true;
    return signer === creator && (controllers.length === 0 || controllers.includes(subject));
  }
}

type Step = {
  kind: "create" | "update" | "deactivate";
  signer: number;
  subject: number;
  controllers: number[];
  names: string[];
  /** Zero for none. */
  expected: number;
};

const person = fc.nat({ max: ADDRESSES.length - 1 });
/** Mostly people about their own identities: otherwise few steps would come further than the question who may. */
const step: fc.Arbitrary<Step> = fc
  .record({
    kind: fc.constantFrom(
      "create" as const,
      "create" as const,
      "update" as const,
      "update" as const,
      "deactivate" as const,
    ),
    subject: person,
    stranger: fc.constantFrom(0, 0, 0, 1, 2),
    controllers: fc.oneof(fc.constant<number[]>([]), fc.uniqueArray(person, { maxLength: 2 })),
    names: fc.subarray(NAMES, { maxLength: 2 }),
    expected: fc.constantFrom(0, 0, 0, 1, 2),
  })
  .map(({ stranger, ...rest }) => ({ ...rest, signer: (rest.subject + stranger) % ADDRESSES.length }));

test("every verdict, and all that is stored, is the model's", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      const chain = new IdentityChain();
      const model = new Model();
      for (const action of steps) expect((await send(chain, action)).verdict).toBe(model.apply(action));
      for (const [subject] of ADDRESSES.entries()) await expectSame(chain, subject, model.entries.get(subject));
      for (const name of NAMES) {
        const holder = [...model.entries].find(([, { names }]) => names.includes(name));
        expect(await getNameHolder(chain.state, name)).toBe(holder === undefined ? null : didAt(holder[0]));
      }
    }),
    { numRuns: 200 },
  );
});

function send(chain: IdentityChain, { kind, signer, subject, controllers, names, expected }: Step) {
  const document: DocumentInit = { iD: didAt(subject), controller: controllers.map(didAt), alsoKnownAs: names };
  const version = expected === 0 ? "" : String(expected);
  if (kind === "create") return chain.create(ADDRESSES[signer]!, document);
  if (kind === "update") return chain.update(ADDRESSES[signer]!, document, version);
  return chain.deactivate(ADDRESSES[signer]!, didAt(subject), version);
}

async function expectSame({ state }: IdentityChain, subject: number, entry: Entry | undefined): Promise<void> {
  const did = didAt(subject);
  const stored = await getDocument(state, did);
  const meta = await getMeta(state, did);
  expect(stored !== null).toBe(entry?.active === true);
  expect(meta !== null).toBe(entry !== undefined);
  if (entry === undefined) return;
  expect(meta).toMatchObject({ deactivated: !entry.active, version: BigInt(entry.history.length) });
  const versions = await Promise.all(entry.history.map((_, i) => getVersion(state, did, BigInt(i + 1))));
  const contents = versions.map((version) => version!.document ?? null);
  expect(
    contents.map((document) => document && contentOf(document.controller.map(numberOf), document.alsoKnownAs)),
  ).toEqual(entry.history);
  if (stored !== null) expect(decodeDocument(stored)).toEqual(contents.at(-1)!);
}

function contentOf(controllers: readonly number[], names: readonly string[]): string {
  return JSON.stringify([controllers, names]);
}

function didAt(subject: number): string {
  return didOf(ADDRESSES[subject]!);
}

function numberOf(did: string): number {
  return ADDRESSES.findIndex((address) => didOf(address) === did);
}
