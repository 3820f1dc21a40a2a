import { expect, test } from "bun:test";
import { OPERATOR } from "../../../core/access/principal.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";
import { causeOf, succeeded } from "../use-cases.ts";

const core = openFixture();

const admin = superAdminKey();
const dealerAdminKey = () => dealerKey(core.records.dealerId);
const person = async () => {
  const { id } = await core.newUser({ dealer_id: core.records.dealerId });
  const { record } = await core.newKey({ user_id: id });
  return { id, keyId: record.id };
};
const endedBy = async ({ id, keyId }: { id: number; keyId: number }) => [
  succeeded(await core.users.get(admin, id)).endedBy,
  succeeded(await core.keys.get(admin, keyId)).endedBy,
];

for (const [who, by, rank] of [
  ["a super-admin", () => admin, "super_admin"],
  ["the command line", () => OPERATOR, "super_admin"],
  ["a dealer's key", dealerAdminKey, "dealer_admin"],
] as const)
  test(`a user whom ${who} lets leave is ended by that rank, with every revoked key`, async () => {
    const leaver = await person();
    succeeded(await core.leaving.leave(by(), leaver.id, { keys: "revoke" }));
    expect(await endedBy(leaver)).toEqual([rank, rank]);
    const mayChief = rank === "dealer_admin" ? undefined : "escalation";
    expect(causeOf(await core.users.update(dealerAdminKey(), leaver.id, { active: true }))?.kind).toBe(mayChief);
    expect(causeOf(await core.keys.update(dealerAdminKey(), leaver.keyId, { active: true }))?.kind).toBe(mayChief);
  });

test("a super-admin who lets a user leave takes over what a dealer's admin had ended", async () => {
  const leaver = await person();
  succeeded(await core.keys.revoke(dealerAdminKey(), leaver.keyId));
  succeeded(await core.users.deactivate(dealerAdminKey(), leaver.id));
  expect(await endedBy(leaver)).toEqual(["dealer_admin", "dealer_admin"]);
  succeeded(await core.leaving.leave(admin, leaver.id, { keys: "revoke" }));
  expect(await endedBy(leaver)).toEqual(["super_admin", "super_admin"]);
  succeeded(await core.leaving.leave(dealerAdminKey(), leaver.id, { keys: "revoke" }));
  expect(await endedBy(leaver)).toEqual(["super_admin", "super_admin"]);
});

test("a revoked key stays revoked when transferred, and the same rank can activate it", async () => {
  const leaver = await person();
  succeeded(await core.keys.revoke(admin, leaver.keyId));
  succeeded(
    await core.leaving.leave(dealerAdminKey(), leaver.id, { keys: "transfer", to_user_id: core.records.userId }),
  );
  expect(succeeded(await core.keys.get(admin, leaver.keyId))).toMatchObject({
    active: false,
    userId: core.records.userId,
  });
  expect(causeOf(await core.keys.update(dealerAdminKey(), leaver.keyId, { active: true }))?.kind).toBe("escalation");
});

test("only a super-admin transfers the keys of a user whom a super-admin deactivated", async () => {
  const leaver = await person();
  succeeded(await core.users.deactivate(admin, leaver.id));
  const body = { keys: "transfer", to_user_id: core.records.userId };
  expect(causeOf(await core.leaving.leave(dealerAdminKey(), leaver.id, body))?.kind).toBe("escalation");
  succeeded(await core.leaving.leave(admin, leaver.id, body));
});
