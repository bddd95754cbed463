// Keys and accounts as text: vectors of RFC 7638, RFC 8037 and the reference's worked samples.

import { describe, expect, test } from "bun:test";
import { fromBase64, fromHex, toHex } from "./bytes.ts";
import { cosmosChain, isCaip2, parseCaip10 } from "./caip.ts";
import { decodeCoseKey, encodeCoseKey } from "./cose-key.ts";
import { decodeBase64Url, jwkThumbprint } from "./jwk.ts";
import { decodeMultibase, formatMultikey, parseMultikey } from "./multikey.ts";

describe("JWK thumbprint", () => {
  test("RSA, the example of RFC 7638", () => {
    const n =
      "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw";
    expect(jwkThumbprint({ kty: "RSA", n, e: "AQAB", alg: "RS256", kid: "2011-04-29" })).toBe(
      "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
    );
  });

  test("OKP, the example of RFC 8037", () => {
    expect(jwkThumbprint({ crv: "Ed25519", kty: "OKP", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" })).toBe(
      "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    );
  });

  test("EC, the reference's sample", () => {
    expect(
      jwkThumbprint({
        kty: "EC",
        crv: "P-256",
        x: "P5RHt6yh17QY0CJ4TmbCrm2FZenB2GzOvqQGUjv8X6o",
        y: "eejCB28sKUIqkimJIb4ndUP34-JC-hkYA-zBKXzhhfs",
      }),
    ).toBe("Z0SaUsMP90uPpKzem4kt_dkBXHpiN3Oxwm1a9zzteGg");
  });

  test("what is no whole public key has none", () => {
    expect(jwkThumbprint({ kty: "oct", k: "AA" })).toBeNull();
    expect(jwkThumbprint({ kty: "EC", crv: "P-256", x: "AA" })).toBeNull();
    expect(jwkThumbprint({})).toBeNull();
  });

  test("base64url has one form for each byte string", () => {
    expect(decodeBase64Url("AQAB")).toEqual(Uint8Array.of(1, 0, 1));
    for (const text of ["AQ==", "AR", "A", "+/8A", "AQ AB"]) expect(decodeBase64Url(text)).toBeNull();
  });
});

describe("multikeys", () => {
  test("the reference's secp256k1 and Ed25519 samples", () => {
    const account = parseMultikey(decodeMultibase("zQ3shjX9DrLRjq3ysCJKKQXFgwve8Y88S8aBtzpcdmB5rPqwt")!)!;
    expect(account.curve).toBe("secp256k1");
    expect(account.key.length).toBe(33);
    expect(formatMultikey(account)).toBe("zQ3shjX9DrLRjq3ysCJKKQXFgwve8Y88S8aBtzpcdmB5rPqwt");
    const issuer = parseMultikey(decodeMultibase("z6Mks6gb8RxYM6u5AzxQvRSP6e5pUj16Ywrqunoqkx2vEtwe")!)!;
    expect(issuer.curve).toBe("Ed25519");
    expect(issuer.key.length).toBe(32);
  });

  test("other bases, stray characters and wrong lengths are refused", () => {
    expect(decodeMultibase("uAAAA")).toBeNull();
    expect(decodeMultibase("z0OIl")).toBeNull();
    expect(decodeMultibase("z")).toBeNull();
    expect(decodeMultibase(`z${"1".repeat(200)}`)).toBeNull();
    expect(parseMultikey(fromHex("ed01aa"))).toBeNull();
    expect(parseMultikey(fromHex(`1234${"00".repeat(32)}`))).toBeNull();
  });
});

describe("COSE keys", () => {
  const sample =
    "pQECAyYgASFYIAoUDiYPJtrCFCWtis2zDEU+3TrywAvnd9fbRHXMiYwlIlggAXMfzzCwKeapwXcRiTbGEWHC0CZzb2/U7In5UWMLmTg=";

  test("the reference's passkey sample, there and back", () => {
    const key = decodeCoseKey(fromBase64(sample));
    if (key.type !== "EC2") throw new Error("an EC2 key was expected");
    expect(toHex(key.x)).toStartWith("0a140e260f26dac2");
    expect(encodeCoseKey(key)).toEqual(fromBase64(sample));
    const okp = { type: "OKP", curve: "Ed25519", x: key.x } as const;
    expect(decodeCoseKey(encodeCoseKey(okp))).toEqual(okp);
  });

  test.each([
    ["", "truncated"],
    ["80", "not a CBOR map"],
    ["a0", "unsupported key type"],
    ["a10102", "the algorithm does not fit the key type"],
    ["a30102032720" + "01", "the algorithm does not fit the key type"],
    ["a3010203262002", "unsupported curve"],
    ["a3010203262001", "no bytes under label -2"],
    ["a2010201" + "02", "label occurs twice"],
    ["bf0102ff", "indefinite"],
    ["a40102032620012341aa", "private or unknown member"],
  ])("%s is refused: %s", (hex, reason) => expect(() => decodeCoseKey(fromHex(hex))).toThrow(reason));

  test("every shortened key, and bytes after it, are refused", () => {
    const bytes = fromBase64(sample);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeCoseKey(bytes.slice(0, length))).toThrow();
    }
    expect(() => decodeCoseKey(Uint8Array.of(...bytes, 0))).toThrow("bytes after the key");
  });
});

describe("chain and account ids", () => {
  test("CAIP-2 and CAIP-10", () => {
    expect(isCaip2("cosmos:orrery-1")).toBe(true);
    expect(isCaip2("eip155:1")).toBe(true);
    for (const text of ["cosmos", "cosmos:", "co:x", "Cosmos:x", "cosmos:a:b", `cosmos:${"x".repeat(33)}`]) {
      expect(isCaip2(text)).toBe(false);
    }
    expect(parseCaip10("eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb")).toEqual({
      chain: "eip155:1",
      namespace: "eip155",
      address: "0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb",
    });
    expect(parseCaip10("cosmos:orrery-1")).toBeNull();
    expect(parseCaip10("cosmos:orrery-1:a b")).toBeNull();
  });

  test("chain ids that do not fit are hashed", () => {
    expect(cosmosChain("orrery-1")).toBe("cosmos:orrery-1");
    expect(cosmosChain("Binance-Chain-Tigris")).toBe("cosmos:Binance-Chain-Tigris");
    // The two vectors of the ecosystem's own profile of CAIP-2.
    expect(cosmosChain("hashed-")).toBe("cosmos:hashed-c904589232422def");
    expect(cosmosChain("wonderland🧝‍♂️")).toBe("cosmos:hashed-843d2fc87f40eeb9");
  });
});
