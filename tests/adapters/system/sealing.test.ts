import { expect, test } from "bun:test";
import fc from "fast-check";
import { sealingOf } from "../../../adapters/system/sealing.ts";

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const text = fc.string({ unit: "grapheme" });

test("sealed text opens only with the same key and in the same context", () => {
  fc.assert(
    fc.property(key, key, text, text, text, (one, other, secret, context, elsewhere) => {
      const sealing = sealingOf(one, []);
      const sealed = sealing.seal(secret, context);
      expect(sealing.open(sealed, context)).toBe(secret);
      if (elsewhere !== context) expect(sealing.open(sealed, elsewhere)).toBeNull();
      if (!Buffer.from(one).equals(other)) expect(sealingOf(other, []).open(sealed, context)).toBeNull();
      if (secret.length > 2) expect(sealed).not.toInclude(secret);
      expect(sealing.seal(secret, context)).not.toBe(sealed);
    }),
  );
});

test("altered text does not open", () => {
  const sealing = sealingOf(new Uint8Array(32).fill(7), []);
  const sealed = sealing.seal("secret", "here");
  for (let place = 0; place < sealed.length; place++) {
    const altered = sealed.slice(0, place) + (sealed[place] === "A" ? "B" : "A") + sealed.slice(place + 1);
    // Unused bits of the last character do not change the bytes.
    if (Buffer.from(altered.slice(12), "base64url").equals(Buffer.from(sealed.slice(12), "base64url")) && place > 11)
      continue;
    expect([place, sealing.open(altered, "here")]).toEqual([place, null]);
  }
  for (const text of ["", "s1.", "s1.AAAAAAAA.AAAA", "plain", sealed.slice(0, -1), `${sealed}A`.repeat(50_000)])
    expect(sealing.open(text, "here")).toBeNull();
});

test("text sealed with the previous key opens, and is known to need sealing with the current one", () => {
  const [before, now] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const sealed = sealingOf(before, []).seal("secret", "here");
  const rotated = sealingOf(now, [before]);
  expect([rotated.open(sealed, "here"), rotated.isSealed(sealed), rotated.isSealedWithCurrentKey(sealed)]).toEqual([
    "secret",
    true,
    false,
  ]);
  expect(rotated.isSealedWithCurrentKey(rotated.seal("secret", "here"))).toBe(true);
});

test("keys derived for other purposes differ by purpose and key", () => {
  const [one, other] = [1, 2].map((byte) => sealingOf(new Uint8Array(32).fill(byte), []));
  expect(new Set([one?.derive("a"), one?.derive("b"), other?.derive("a")]).size).toBe(3);
});
