// The default genesis: the same every time, sound by our own rules, and rich enough that every operation shows something.

import { describe, expect, test } from "bun:test";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { encodeAddress } from "../codec/address.ts";
import { type Bytes, fromHex } from "../codec/bytes.ts";
import { hash160 } from "../codec/hash.ts";
import { type LookUpKind, parseLookUp } from "../codec/look-up.ts";
import { decodeDocument, getMeta } from "../state/identity.ts";
import { deriveClaims, findDocument } from "../state/identity-index.ts";
import { createBranch } from "../store/branch.ts";
import { openMemoryStore } from "../store/memory.ts";
import { DEV_MNEMONIC, devAccounts, devVestingAccounts } from "./dev-accounts.ts";
import { DEV_GENESIS_DEFAULTS, devGenesis } from "./dev-genesis.ts";
import { parseIdentityGenesis, writeIdentityGenesis } from "./genesis-identity.ts";

type Coin = { denom: string; amount: string };
type DevState = {
  auth: { accounts: { "@type": string }[] };
  bank: {
    balances: { address: string; coins: Coin[] }[];
    supply: Coin[];
    denom_metadata: { base: string; denom_units: unknown[]; uri: string }[];
    send_enabled: { denom: string }[];
  };
  identity: { didDocumentList: object[] };
};

const genesis = devGenesis();
const state = genesis.app_state as unknown as DevState;
const [alice, bob, carol, dave, erin] = devAccounts("cosmos");

describe("accounts", () => {
  test("are those that a wallet derives from the public mnemonic", () => {
    expect(DEV_MNEMONIC.split(" ")).toHaveLength(12);
    // The first address of this mnemonic on the Cosmos Hub, as wallets show it.
    expect(alice!.address).toBe("cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4");
    expect(alice!.path).toBe("m/44'/118'/0'/0/0");
    for (const account of [...devAccounts("orr"), ...devVestingAccounts("orr")]) {
      const publicKey = secp256k1.getPublicKey(fromHex(account.privateKeyHex)) as Bytes;
      expect(account.publicKey).toEqual(publicKey);
      expect(account.address).toBe(encodeAddress("orr", hash160(publicKey)));
    }
  });

  test("ten people, all vesting kinds, a multisig, a module", () => {
    const types = state.auth.accounts.map((account) => account["@type"].split(".").at(-1));
    expect(devAccounts("cosmos").map(({ name }) => name)).toEqual(
      "alice bob carol dave erin frank grace heidi ivan judy".split(" "),
    );
    expect(types.filter((type) => type === "BaseAccount")).toHaveLength(11);
    for (const kind of ["Continuous", "Delayed", "Periodic"]) expect(types).toContain(`${kind}VestingAccount`);
    expect(types).toContain("PermanentLockedAccount");
    expect(types).toContain("ModuleAccount");
  });
});

describe("tokens", () => {
  test("balances are sorted and sum up to the supply", () => {
    const sums = new Map<string, bigint>();
    for (const { coins } of state.bank.balances) {
      const denoms = coins.map(({ denom }) => denom);
      expect(denoms).toEqual([...new Set(denoms)].sort());
      for (const { denom, amount } of coins) sums.set(denom, (sums.get(denom) ?? 0n) + BigInt(amount));
    }
    expect(new Map(state.bank.supply.map(({ denom, amount }) => [denom, BigInt(amount)]))).toEqual(
      new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1))),
    );
  });

  test("with metadata, over IBC, made by an account, and without metadata", () => {
    const bases = state.bank.denom_metadata.map(({ base }) => base);
    expect(bases).toContain("uorr");
    expect(bases.some((base) => /^ibc\/[0-9A-F]{64}$/.test(base))).toBe(true);
    expect(bases.some((base) => base.startsWith("factory/cosmos1"))).toBe(true);
    expect(state.bank.denom_metadata.some(({ denom_units, uri }) => denom_units.length > 2 && uri !== "")).toBe(true);
    expect(state.bank.supply.filter(({ denom }) => !bases.includes(denom))).toHaveLength(1);
    expect(state.bank.send_enabled.length).toBeGreaterThan(0);
  });
});

describe("options", () => {
  test("the same options give the same bytes; chain id, prefix and time go through", () => {
    expect(JSON.stringify(devGenesis())).toBe(JSON.stringify(genesis));
    expect(DEV_GENESIS_DEFAULTS.chainId).toBe("orrery-1");
    const other = JSON.stringify(
      devGenesis({ chainId: "other-2", bech32Prefix: "orr", genesisTime: "2027-02-03T04:05:06.7Z" }),
    );
    expect(other).toContain('"genesis_time":"2027-02-03T04:05:06.7Z","chain_id":"other-2"');
    expect(other).toContain("cosmos:other-2:orr1");
    expect(other).not.toContain("cosmos1");
  });

  test.each([{}, { chainId: "a chain id of more than thirty-two characters", bech32Prefix: "orr" }])(
    "the documents are valid with %j",
    (options) => {
      const { chainId, bech32Prefix } = { ...DEV_GENESIS_DEFAULTS, ...options };
      const { identity } = devGenesis(options).app_state as unknown as DevState;
      expect(parseIdentityGenesis(identity, { chainId, bech32Prefix })!.documents).toHaveLength(8);
    },
  );
});

describe("identities", () => {
  const chain = { chainId: "orrery-1", bech32Prefix: "cosmos" };

  async function started() {
    const store = openMemoryStore();
    await store.commit(0n, []);
    const branch = createBranch(store.at(0n));
    writeIdentityGenesis(branch, parseIdentityGenesis(state.identity, chain)!, { seconds: 0n, nanos: 0 });
    const changes = branch.changes();
    await store.commit(1n, [...changes, ...(await deriveClaims(store.at(0n), changes, 0n))]);
    return store.at(1n);
  }

  test("every field of the interface holds something somewhere", () => {
    const seen = new Set<string>();
    const visit = (value: unknown, path: string): void => {
      if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return;
      if (Array.isArray(value)) for (const item of value) visit(item, path);
      else if (typeof value !== "object") seen.add(path);
      else for (const [key, item] of Object.entries(value)) visit(item, path === "" ? key : `${path}.${key}`);
    };
    for (const document of state.identity.didDocumentList) visit(document, "");
    const relationships = [
      "authentication",
      "assertion_method",
      "capability_invocation",
      "capability_delegation",
      "key_agreement",
    ];
    const wanted = [
      ...["context", "creator", "iD", "controller", "also_known_as"],
      ...["iD", "type", "controller", "public_key_multibase", "blockchain_account_id"].map(
        (field) => `verification_method.data.${field}`,
      ),
      ...["id", "public_key", "attestation_type", "authenticator_transport", "authenticator.aaguid"].map(
        (field) => `verification_method.data.webauthn_credential.${field}`,
      ),
      ...["sign_count", "clone_warning"].map(
        (field) => `verification_method.data.webauthn_credential.authenticator.${field}`,
      ),
      ...["crv", "kty", "x", "kid"].map((member) => `verification_method.data.public_key_jwk.${member}`),
      ...relationships.map((name) => `${name}.data.reference`),
      ...relationships
        .filter((name) => name !== "assertion_method")
        .map((name) => `${name}.data.verification_method.iD`),
      ...["iD", "type", "service_endpoint", "service_endpoints.web"].map((field) => `service.data.${field}`),
    ];
    expect(wanted.filter((path) => !seen.has(path))).toEqual([]);
  });

  test.each<[LookUpKind, string, string]>([
    ["key", `did:orr:${alice!.address}#passkey-1`, alice!.address],
    ["key", `cosmos:orrery-1:${alice!.address}`, alice!.address],
    ["key", alice!.address.toUpperCase(), alice!.address],
    ["key", `did:orr:${bob!.address}`, bob!.address],
    ["service", `did:orr:${carol!.address}#linked-domain`, carol!.address],
    ["network", "testnet", dave!.address],
    ["network", "devnet", alice!.address],
    ["network", "cosmos:orrery-1", alice!.address],
    ["network", "eip155:1", devAccounts("cosmos")[5]!.address],
    ["method", "did:orr", alice!.address],
    ["method", `did:orr:${erin!.address}#multikey`, erin!.address],
    ["alias", "acme.orr", carol!.address],
    ["alias", "https://alice.example.com/", alice!.address],
  ])("%s %s leads to %s", async (kind, text, creator) => {
    const found = await findDocument(await started(), kind, parseLookUp(kind, text));
    expect(decodeDocument(found!).creator).toBe(creator);
  });

  test("the deactivated one is known, and not found", async () => {
    const view = await started();
    const heidi = devAccounts("cosmos")[7]!;
    const did = `did:orr:${heidi.address}`;
    expect((await getMeta(view, did))!.deactivated).toBe(true);
    expect(await findDocument(view, "key", did)).toBeNull();
    expect(await findDocument(view, "alias", "heidi.orr")).toBeNull();
  });
});
