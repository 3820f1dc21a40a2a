import { expect, test } from "bun:test";
import { Failure } from "../../../core/failure.ts";
import { makeOffboarding, type Offboarding } from "../../../core/users/offboarding.ts";
import { type Leave, makeUndoOffboarding } from "../../../core/users/undo-offboarding.ts";
import { LAST_SUPER_ADMIN } from "../../../core/users/user-repository.ts";
import { fakeClock } from "../../support/clock.ts";
import { superAdminKey } from "../callers.ts";
import { causeOf, pathsOf, succeeded } from "../use-cases.ts";
import { person } from "./user-records.ts";

const clock = fakeClock();
const admin = superAdminKey();

test("whoever leaves says what becomes of the keys, and is found and may go", async () => {
  const asked: (number | null)[] = [];
  const leave = (body: object, found: Offboarding | null | typeof LAST_SUPER_ADMIN = null) => {
    const offboardings = {
      offboard: async ({ newOwnerId }: { readonly newOwnerId: number | null }) => {
        asked.push(newOwnerId);
        return found;
      },
    };
    return makeOffboarding({ offboardings, clock }).leave(admin, 5, body);
  };
  for (const body of [{ keys: "transfer" }, { keys: "revoke", to_user_id: 6 }])
    expect(pathsOf(await leave(body))).toEqual(["to_user_id"]);
  expect(pathsOf(await leave({}))).toEqual(["keys"]);
  expect(asked).toEqual([]);
  expect(causeOf(await leave({ keys: "revoke" }))).toMatchObject({ kind: "not-found", subject: "user", id: 5 });
  expect(causeOf(await leave({ keys: "transfer", to_user_id: 6 }, LAST_SUPER_ADMIN))?.kind).toBe("last-super-admin");
  expect(asked).toEqual([null, 6]);
});

test("how a user left is told with the new owner of the keys, if the reader sees them", async () => {
  const read = (leave: Leave | null, { isThere = true, seesOwner = true } = {}) =>
    makeUndoOffboarding({
      leaves: { lastOf: async () => leave, undo: async () => null },
      users: {
        find: async () => (isThere ? person() : null),
        names: async (ids) => new Map(seesOwner ? ids.map((id) => [id, "Robin"]) : []),
      },
      clock,
    }).read(admin, 5);
  const left: Leave = {
    at: "2026-06-01T00:00:00.000Z",
    wasActive: true,
    newOwnerId: null,
    keys: [{ id: 1, updatedAt: clock.now() }],
  };
  const told = { at: left.at, keys: 1, undo_until: "2026-06-02T00:00:00.000Z" };
  const nobody = { transferred: false, new_owner_id: null, new_owner_name: null };
  expect(causeOf(await read(left, { isThere: false }))).toMatchObject({ kind: "not-found", id: 5 });
  expect(succeeded(await read(null))).toStrictEqual({ left: null });
  expect(succeeded(await read(left))).toStrictEqual({ left: { ...told, ...nobody } });
  const given = { ...left, newOwnerId: 6 };
  expect(succeeded(await read(given))).toStrictEqual({
    left: { ...told, transferred: true, new_owner_id: 6, new_owner_name: "Robin" },
  });
  expect(succeeded(await read(given, { seesOwner: false }))).toStrictEqual({
    left: { ...told, ...nobody, transferred: true },
  });
});

test("a leave is taken back as it was decided, or its user is not found", async () => {
  const undo = (returned: Failure | null) =>
    makeUndoOffboarding({
      leaves: { lastOf: async () => null, undo: async () => returned },
      users: { find: async () => null, names: async () => new Map() },
      clock,
    }).undo(admin, 5);
  const refusal = new Failure({ kind: "own-account" });
  expect<unknown>(await undo(refusal)).toBe(refusal);
  expect(causeOf(await undo(null))).toMatchObject({ kind: "not-found", subject: "user", id: 5 });
});
