import { describe, expect, test } from "bun:test";
import { AuthorizationLapsed, hasSamePowers, whileAuthorized } from "../../../core/access/authorization.ts";
import type { Powers } from "../../../core/access/principal.ts";

const POWERS: Powers = { association: "user", permissions: 5, dealerId: 7, userId: 3, role: "user", rateLimit: 100 };

describe("the powers of a caller", () => {
  test("are the same if nothing differs", () => {
    expect(hasSamePowers(POWERS, { ...POWERS })).toBe(true);
  });

  for (const change of [
    { association: "dealer" },
    { permissions: 4 },
    { dealerId: 8 },
    { dealerId: null },
    { userId: 4 },
    { role: "dealer_admin" },
    { rateLimit: 101 },
  ] satisfies Partial<Powers>[])
    test(`are others with ${JSON.stringify(change)}`, () => {
      expect(hasSamePowers(POWERS, { ...POWERS, ...change })).toBe(false);
    });
});

describe("a change that the caller must still be allowed to make", () => {
  test("is tried again when their powers have changed meanwhile, and only then looks them up again", async () => {
    const retries: boolean[] = [];
    const made = await whileAuthorized((isRetry) => {
      if (retries.push(isRetry) < 3) throw new AuthorizationLapsed();
      return "made";
    });
    expect([made, retries]).toEqual(["made", [false, true, true]]);
  });

  test("is not tried again after another error", async () => {
    let attempts = 0;
    const failing = whileAuthorized(() => {
      attempts++;
      throw new Error("another");
    });
    await expect(failing).rejects.toThrow("another");
    expect(attempts).toBe(1);
  });

  test("is given up if their powers change without end", async () => {
    let attempts = 0;
    const lapsing = whileAuthorized(() => {
      attempts++;
      throw new AuthorizationLapsed();
    });
    await expect(lapsing).rejects.toThrow(AuthorizationLapsed);
    expect(attempts).toBe(101);
  });
});
