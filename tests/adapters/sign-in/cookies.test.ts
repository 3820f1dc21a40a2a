import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  cookieNamed,
  cookieNames,
  expiredCookie,
  setCookie,
  signed,
  verified,
  withoutSignature,
} from "../../../adapters/sign-in/cookies.ts";

/** The simple implementation, which parses every cookie. */
const plainly = (header: string, name: string): string | null => {
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? (values[0] ?? null) : null;
};

test("a cookie is found by its whole name, unless it occurs twice or only in another cookie's value", () => {
  for (const [header, value] of [
    ["session=a", "a"],
    ["other=1; session=a.b%20c ; more=2", "a.b%20c"],
    ["session=", ""],
    ["session=a; session=b", null],
    ["other=session=a", null],
    ["my_session=a; session_id=b", null],
    ["my session=a", null],
    ["", null],
  ] as const)
    expect(cookieNamed(header, "session")).toBe(value);
  expect(cookieNamed(null, "session")).toBeNull();
});

test("a cookie is found in any header exactly as if all cookies were parsed", () => {
  const piece = fc.constantFrom(";", " ", "\t", "=", "s", "s=", "; s=1", "as=", "x");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const header = pieces.join("");
      expect(cookieNamed(header, "s")).toBe(plainly(header, "s"));
    }),
  );
});

test("every cookie of the portal has its own name, which over TLS no other site can set", () => {
  expect(cookieNames(false)).toEqual({
    session: "vehicle_inventory",
    challenge: "vehicle_inventory_challenge",
    device: "vehicle_inventory_device",
  });
  expect(cookieNames(true)).toEqual({
    session: "__Host-vehicle_inventory",
    challenge: "__Host-vehicle_inventory_challenge",
    device: "__Host-vehicle_inventory_device",
  });
});

test("no script reads a cookie, no other site sends it, and over TLS it is never sent without TLS", () => {
  const cookie = { name: "session", value: "a.b", seconds: 60 };
  expect(setCookie({ ...cookie, secure: true })).toBe(
    "session=a.b; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Strict",
  );
  expect(setCookie({ ...cookie, secure: false })).toBe("session=a.b; Max-Age=60; Path=/; HttpOnly; SameSite=Strict");
});

test("a cookie is deleted with the attributes it was set with", () => {
  expect(expiredCookie("session", true)).toBe("session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict");
  expect(expiredCookie("session", false)).toBe("session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict");
});

test("a value without a signature, or with broken percent-encoding, is ignored", () => {
  for (const [value, text] of [
    ["token.signature", "token"],
    ["to.ken.signature", "to.ken"],
    ["token%2Esignature", "token"],
    ["token", null],
    ["", null],
    ["%ff.signature", null],
    [null, null],
  ] as const)
    expect([value, withoutSignature(value)]).toEqual([value, text]);
});

test("a signed value is accepted only unchanged and with the same key", () => {
  const cookie = signed("token", "key");
  const [value, signature = ""] = decodeURIComponent(cookie).split(".");
  expect(value).toBe("token");
  expect(verified(cookie, "key")).toBe("token");
  for (const other of [
    null,
    "",
    "token",
    `tokem.${encodeURIComponent(signature)}`,
    `token.${encodeURIComponent(signature.slice(1))}`,
    `token.${encodeURIComponent(`x${signature}`)}`,
    signed("token", "another key"),
  ])
    expect([other, verified(other, "key")]).toEqual([other, null]);
});
