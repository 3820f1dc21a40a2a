import { describe, expect, test } from "bun:test";
import { nobodyRaisesTheirOwnRole } from "../../../../core/access/rules/nobody-raises-their-own-role.ts";
import { ROLES } from "../../../../core/permissions.ts";
import { causeOf } from "../../use-cases.ts";

const refusal = { kind: "escalation", reason: "You cannot raise your own role" } as const;

describe("nobody raises their own role", () => {
  ROLES.forEach((before, rank) => {
    ROLES.forEach((after, other) => {
      const isRaised = other < rank;
      test(`from ${before} to ${after}: ${isRaised ? "refused" : "allowed"}, and allowed for another user`, () => {
        const change = (userId: number | null) =>
          causeOf(nobodyRaisesTheirOwnRole({ userId }, { id: 5, role: before }, { role: after }));
        expect(change(5)).toEqual(isRaised ? refusal : null);
        expect(change(6)).toBeNull();
        expect(change(null)).toBeNull();
      });
    });
  });
});
