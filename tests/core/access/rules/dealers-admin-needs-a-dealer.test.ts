import { expect, test } from "bun:test";
import { dealersAdminNeedsADealer } from "../../../../core/access/rules/dealers-admin-needs-a-dealer.ts";
import { ROLES } from "../../../../core/permissions.ts";

for (const role of ROLES)
  for (const dealerId of [null, 7]) {
    const refused = role === "dealer_admin" && dealerId === null;
    test(`a ${role} with ${dealerId === null ? "no dealer" : "a dealer"} ${refused ? "may not act" : "may act"}`, () => {
      expect(dealersAdminNeedsADealer({ role, dealerId })).toBe(refused ? "user_without_dealer" : null);
    });
  }
