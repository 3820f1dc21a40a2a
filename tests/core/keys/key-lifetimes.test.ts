import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { storedCredentials } from "../../../adapters/sql/access/credentials.ts";
import { secrets } from "../../../adapters/system/secrets.ts";
import { isCurrent } from "../../../core/keys/credentials.ts";
import { superAdminKey } from "../callers.ts";
import {
  causeOf,
  NOW,
  newKeyBody,
  newUserBody,
  openUseCases,
  pathsOf,
  succeeded,
  type UseCases,
} from "../use-cases.ts";

let core: UseCases;
beforeAll(async () => {
  core = await openUseCases();
});
afterAll(() => core.db.close());

const admin = superAdminKey();
const make = async (fields: Readonly<Record<string, unknown>> = {}) =>
  succeeded(await core.keys.create(admin, newKeyBody(fields)));

/** Whether a key works `seconds` from now. */
const works = async (apiKey: string, seconds = 0): Promise<boolean> => {
  const hash = secrets.recognise(apiKey);
  const credential = hash === null ? null : await storedCredentials(core.db).find(hash);
  return credential !== null && isCurrent(credential, core.clock.after(seconds));
};

describe("expiry", () => {
  for (const [expires_at, stored] of [
    ["2026-11-20T09:11:00.001Z", "2026-11-20T09:11:00.001Z"],
    ["2030-01-01T00:00:00Z", "2030-01-01T00:00:00.000Z"],
    ["2026-11-20T10:11:01+01:00", "2026-11-20T09:11:01.000Z"],
    [null, null],
  ] as const)
    test(`of ${expires_at ?? "never"} is stored as ${stored ?? "never"}`, async () => {
      expect((await make({ expires_at })).record.expiresAt).toBe(stored);
    });

  for (const expires_at of [
    NOW,
    "2026-11-20T09:10:59Z",
    "2026-11-20T10:11:00+01:00",
    "tomorrow",
    "2030-02-30T00:00:00Z",
    "2030-01-01",
  ])
    test(`of ${expires_at}, which is not in the future, is refused`, async () => {
      expect(pathsOf(await core.keys.create(admin, newKeyBody({ expires_at })))).toEqual(["expires_at"]);
      const { record } = await make();
      expect(pathsOf(await core.keys.update(admin, record.id, { expires_at }))).toEqual(["expires_at"]);
    });

  test("ends a key at its time, not a second earlier; removing the expiry reactivates it", async () => {
    const { record, apiKey } = await make({ expires_at: core.clock.after(10) });
    expect([await works(apiKey), await works(apiKey, 9), await works(apiKey, 10)]).toEqual([true, true, false]);
    succeeded(await core.keys.update(admin, record.id, { expires_at: null }));
    expect(await works(apiKey, 10)).toBe(true);
  });
});

describe("revocation", () => {
  test("ends a key at once and can be repeated; setting it active reactivates it", async () => {
    const { record, apiKey } = await make();
    expect(await works(apiKey)).toBe(true);
    for (const round of [1, 2])
      expect([round, succeeded(await core.keys.revoke(admin, record.id)).active]).toEqual([round, false]);
    expect(await works(apiKey)).toBe(false);
    succeeded(await core.keys.update(admin, record.id, { active: true }));
    expect(await works(apiKey)).toBe(true);
  });

  test("of a user ends the user's keys, and reactivation reactivates them", async () => {
    const user = succeeded(await core.users.create(admin, newUserBody("leaving@harbor.example.com")));
    const { apiKey } = await make({ user_id: user.id });
    expect(await works(apiKey)).toBe(true);
    succeeded(await core.users.deactivate(admin, user.id));
    expect(await works(apiKey)).toBe(false);
    succeeded(await core.users.update(admin, user.id, { active: true }));
    expect(await works(apiKey)).toBe(true);
  });

  test("by deletion is permanent", async () => {
    const { record, apiKey } = await make();
    expect(succeeded(await core.keys.remove(admin, record.id))).toBe(true);
    expect(await works(apiKey)).toBe(false);
    const gone = { kind: "not-found", subject: "key", id: record.id };
    expect<unknown>(causeOf(await core.keys.get(admin, record.id))).toEqual(gone);
    expect<unknown>(causeOf(await core.keys.remove(admin, record.id))).toEqual(gone);
  });
});

describe("rotation", () => {
  test("with a body of null is refused, and the secret still works", async () => {
    const { record, apiKey } = await make();
    expect(causeOf(await core.keys.rotate(admin, record.id, null))).toMatchObject({ kind: "invalid" });
    expect(await works(apiKey)).toBe(true);
  });

  test("without a grace period ends the previous secret at once", async () => {
    for (const body of [undefined, {}, { grace_seconds: 0 }]) {
      const { record, apiKey } = await make();
      const rotated = succeeded(await core.keys.rotate(admin, record.id, body));
      expect(rotated.record.id).toBe(record.id);
      expect([await works(apiKey), await works(rotated.apiKey)]).toEqual([false, true]);
    }
  });

  test("with a grace period ends the previous secret after it, and older ones at once", async () => {
    const first = await make();
    const second = succeeded(await core.keys.rotate(admin, first.record.id, { grace_seconds: 60 }));
    expect([await works(first.apiKey, 59), await works(first.apiKey, 60)]).toEqual([true, false]);
    const third = succeeded(await core.keys.rotate(admin, first.record.id, { grace_seconds: 60 }));
    expect(await Promise.all([first, second, third].map(({ apiKey }) => works(apiKey, 59)))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("with a grace period that is over before the key expires ends the previous secret after it", async () => {
    const { record, apiKey } = await make({ expires_at: core.clock.after(3600) });
    succeeded(await core.keys.rotate(admin, record.id, { grace_seconds: 60 }));
    expect([await works(apiKey, 59), await works(apiKey, 60)]).toEqual([true, false]);
  });

  test("never lets the previous secret outlive the key's expiry", async () => {
    const { record, apiKey } = await make({ expires_at: core.clock.after(30) });
    const rotated = succeeded(await core.keys.rotate(admin, record.id, { grace_seconds: 60 }));
    succeeded(await core.keys.update(admin, record.id, { expires_at: null }));
    expect([await works(apiKey, 29), await works(apiKey, 30)]).toEqual([true, false]);
    expect(await works(rotated.apiKey, 3600)).toBe(true);
  });

  test("of a revoked key does not reactivate it", async () => {
    const { record } = await make({ active: false });
    const rotated = succeeded(await core.keys.rotate(admin, record.id, {}));
    expect(await works(rotated.apiKey)).toBe(false);
  });

  for (const grace_seconds of [-1, 2_592_001, 1.5, "60", true])
    test(`with a grace of ${JSON.stringify(grace_seconds)} is refused`, async () => {
      const { record } = await make();
      expect(pathsOf(await core.keys.rotate(admin, record.id, { grace_seconds }))).toEqual(["grace_seconds"]);
    });

  test("accepts a grace period of at most 30 days", async () => {
    const { record, apiKey } = await make();
    succeeded(await core.keys.rotate(admin, record.id, { grace_seconds: 2_592_000 }));
    expect([await works(apiKey, 2_591_999), await works(apiKey, 2_592_000)]).toEqual([true, false]);
  });
});
