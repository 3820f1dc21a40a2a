import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Principal } from "../../../core/access/principal.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import {
  causeOf,
  newDealerBody,
  newKeyBody,
  newUserBody,
  openUseCases,
  pathsOf,
  succeeded,
  type UseCases,
} from "../use-cases.ts";

const admin = superAdminKey();
const NOBODY = 9_999_999;
const DAY_SECONDS = 24 * 60 * 60;

let core: UseCases;
let dealers: [number, number];
beforeAll(async () => {
  core = await openUseCases();
  const make = async () => succeeded(await core.dealers.create(admin, newDealerBody())).id;
  dealers = [await make(), await make()];
});
afterAll(() => core.db.close());

let people = 0;
const newUser = async (fields: object = { dealer_id: dealers[0] }): Promise<number> =>
  succeeded(await core.users.create(admin, newUserBody(`person-${++people}@harbor.example.com`, { ...fields }))).id;
/** A user with a key. */
const person = async () => {
  const id = await newUser();
  const { record } = succeeded(await core.keys.create(admin, newKeyBody({ user_id: id })));
  return { id, keyId: record.id };
};
const stateOf = async ({ id, keyId }: Awaited<ReturnType<typeof person>>) => {
  const { active, userId } = succeeded(await core.keys.get(admin, keyId));
  return [succeeded(await core.users.get(admin, id)).active, active, userId];
};

test("whoever leaves says what becomes of the keys, and is found and may go", async () => {
  const leave = (id: number, body: object) => core.leaving.leave(admin, id, body);
  const [kim, robin] = [await person(), await person()];
  for (const body of [{ keys: "transfer" }, { keys: "revoke", to_user_id: robin.id }])
    expect(pathsOf(await leave(kim.id, body))).toEqual(["to_user_id"]);
  expect(pathsOf(await leave(kim.id, {}))).toEqual(["keys"]);
  expect(await stateOf(kim)).toEqual([true, true, kim.id]);
  const nobody = { kind: "not-found", subject: "user", id: NOBODY };
  expect(causeOf(await leave(NOBODY, { keys: "revoke" }))).toMatchObject(nobody);
  const last = await newUser({ role: "super_admin" });
  expect(causeOf(await leave(last, { keys: "revoke" }))?.kind).toBe("last-super-admin");
  succeeded(await leave(kim.id, { keys: "transfer", to_user_id: robin.id }));
  expect(await stateOf(kim)).toEqual([false, true, robin.id]);
  succeeded(await leave(robin.id, { keys: "revoke" }));
  expect(await stateOf(robin)).toEqual([false, false, robin.id]);
});

test("how a user left is told with the new owner of the keys, if the reader sees them", async () => {
  const [kim, robin] = [await person(), await person()];
  const elsewhere = await newUser({ dealer_id: dealers[1] });
  const read = (by: Principal = admin, id = kim.id) => core.leaving.read(by, id);
  const leftAgain = async (body: object) => {
    succeeded(await core.leaving.leave(admin, kim.id, body));
    return { at: core.clock.now(), keys: 1, undo_until: core.clock.after(DAY_SECONDS) };
  };
  const nobody = { transferred: false, new_owner_id: null, new_owner_name: null };
  expect(causeOf(await read(admin, NOBODY))).toMatchObject({ kind: "not-found", id: NOBODY });
  expect(succeeded(await read())).toStrictEqual({ left: null });
  const revoked = await leftAgain({ keys: "revoke" });
  expect(succeeded(await read())).toStrictEqual({ left: { ...revoked, ...nobody } });
  succeeded(await core.leaving.undo(admin, kim.id));
  expect(await stateOf(kim)).toEqual([true, true, kim.id]);
  core.clock.advance(60_000);
  const given = await leftAgain({ keys: "transfer", to_user_id: robin.id });
  const owner = { transferred: true, new_owner_id: robin.id, new_owner_name: "Robin Example" };
  expect(succeeded(await read())).toStrictEqual({ left: { ...given, ...owner } });
  succeeded(await core.leaving.undo(admin, kim.id));
  const away = await leftAgain({ keys: "transfer", to_user_id: elsewhere });
  expect(succeeded(await read())).toStrictEqual({ left: { ...away, ...owner, new_owner_id: elsewhere } });
  expect(succeeded(await read(dealerKey(dealers[0])))).toStrictEqual({
    left: { ...away, ...nobody, transferred: true },
  });
});

test("a leave is taken back within a day, or else not, and its user is not found if there is none", async () => {
  const [kim, robin] = [await person(), await person()];
  for (const { id } of [kim, robin]) succeeded(await core.leaving.leave(admin, id, { keys: "revoke" }));
  core.clock.advance(DAY_SECONDS * 1000);
  succeeded(await core.leaving.undo(admin, kim.id));
  expect(await stateOf(kim)).toEqual([true, true, kim.id]);
  core.clock.advance(1);
  expect(pathsOf(await core.leaving.undo(admin, robin.id))).toEqual([""]);
  expect(await stateOf(robin)).toEqual([false, false, robin.id]);
  expect(causeOf(await core.leaving.undo(admin, NOBODY))).toMatchObject({
    kind: "not-found",
    subject: "user",
    id: NOBODY,
  });
});
