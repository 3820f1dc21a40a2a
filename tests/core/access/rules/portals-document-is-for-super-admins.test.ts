import { describe, expect, test } from "bun:test";
import { portalsDocumentIsForSuperAdmins } from "../../../../core/access/rules/portals-document-is-for-super-admins.ts";
import { causeOf } from "../../use-cases.ts";

const CALLERS = [
  ["none", null, true],
  ["user", "super_admin", true],
  ["user", "dealer_admin", false],
  ["user", "user", false],
  ["dealer", null, false],
] as const;

describe("the portal's document is for super-admins", () => {
  for (const [association, role, isAllowed] of CALLERS)
    test(`a ${association} caller with the role ${role} ${isAllowed ? "reads it" : "does not"}`, () =>
      expect(causeOf(portalsDocumentIsForSuperAdmins({ association, role }))?.kind).toBe(
        isAllowed ? undefined : "escalation",
      ));
});
