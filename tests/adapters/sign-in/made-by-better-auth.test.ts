import { describe, expect, test } from "bun:test";
import { setCookie, signed, verified, withoutSignature } from "../../../adapters/sign-in/cookies.ts";
import { openLegacySecret } from "../../../adapters/sign-in/legacy-secrets.ts";
import { base32Of, hotpOf, isTotp, totpUri } from "../../../adapters/sign-in/totp.ts";
import made from "./made-by-better-auth.json";

describe("data made by the former sign-in library", () => {
  test("has the same codes, valid in the same half minutes", () => {
    expect(made.codes.length).toBeGreaterThan(40);
    for (const { secret, atMs, firstStep, codes, accepted } of made.codes) {
      const steps = codes.map((_, index) => firstStep + index);
      const present = Math.floor(atMs / 30_000);
      expect(steps.map((step) => hotpOf(secret, present + step))).toEqual(codes);
      expect(steps.filter((_, index) => isTotp(secret, codes[index] ?? "", atMs))).toEqual(accepted);
    }
  });

  test("has the same addresses for authenticator apps", () => {
    for (const { secret, base32, account, uri } of made.addresses)
      expect([base32Of(secret), totpUri(secret, account)]).toEqual([base32, uri]);
  });

  test("has the same cookies", () => {
    for (const { name, value, seconds, secure, header } of made.cookies) {
      const sent = signed(value, made.cookieKey);
      expect(setCookie({ name, value: sent, seconds, secure })).toBe(header);
      expect([withoutSignature(sent), verified(sent, made.cookieKey)]).toEqual([value, value]);
      expect(verified(sent, `${made.cookieKey} of another installation`)).toBeNull();
    }
  });

  test("has secrets that still open, but only with their own key", async () => {
    for (const { key, text, sealed } of made.sealed) {
      expect(await openLegacySecret(key, sealed)).toBe(text);
      expect(await openLegacySecret(`${key} of another installation`, sealed)).toBeNull();
    }
    for (const damaged of ["", "s1.not.hexadecimal", made.sealed[0]?.sealed.slice(0, -2) ?? ""])
      expect(await openLegacySecret(made.sealed[0]?.key ?? "", damaged)).toBeNull();
  });
});
