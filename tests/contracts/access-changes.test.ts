import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { storedCredentials } from "../../adapters/sql/access/credentials.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { makeAccountRepository } from "../../adapters/sql/sign-in/accounts.ts";
import { makeInvitationRepository } from "../../adapters/sql/sign-in/invitations.ts";
import { makeSessionRepository } from "../../adapters/sql/sign-in/sessions.ts";
import { makeOffboardingRepository } from "../../adapters/sql/users/offboarding.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { AuthorizationLapsed } from "../../core/access/authorization.ts";
import type { Principal } from "../../core/access/principal.ts";
import { Failure } from "../../core/failure.ts";
import type { KeyRecord } from "../../core/keys/key.ts";
import { EVERY_PERMISSION } from "../../core/permissions.ts";
import { principalOfUser, type UserRecord } from "../../core/users/user.ts";
import { fakeClock } from "../support/clock.ts";
import { coreOn } from "../support/core.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, openTwice, type TestDatabase } from "../support/engines.ts";
import { inspectDatabase } from "../support/inspect-database.ts";
import { changeStoredKey } from "../support/key-changes.ts";
import {
  dealerFields,
  keyFields,
  MOMENT,
  made,
  momentAfter,
  newSecret,
  OPERATOR,
  userFields,
} from "../support/records.ts";
import { changeStoredUser, signInChangeOf } from "../support/user-changes.ts";

setDefaultTimeout(300_000);

const SOON = momentAfter(1000);
const LATER = momentAfter(60_000);
const ROUNDS = inGate(6, 20);

for (const engine of ENGINES)
  describe(`changes of keys, users and sign-ins on ${engine.name}`, () => {
    let db: TestDatabase;
    /** Another instance's connection to the same database. */
    let elsewhere: TestDatabase;
    let [north, south] = [0, 0];
    let sessionHashes = 0;

    beforeAll(async () => {
      [db, elsewhere] = await openTwice(engine);
      north = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      south = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(() => Promise.all([db.close(), elsewhere.close()]));

    const keys = (on = db) => makeKeyRepository(on, () => {});
    const users = (on = db) => makeUserRepository(on, () => {});
    const sessions = (on = db) => makeSessionRepository(on);
    const accounts = () => makeAccountRepository(db);

    /** A caller as looked up, and the credential it presented. */
    interface Caller {
      readonly by: Principal;
      readonly key: KeyRecord | null;
      readonly user: UserRecord | null;
      readonly session: number;
    }

    const byKey = async (fields: Parameters<typeof keyFields>[0], user: UserRecord | null): Promise<Caller> => {
      const secret = newSecret();
      const tie = user === null ? { ownPermissions: EVERY_PERMISSION } : { userId: user.id };
      const key = made(
        await keys().insert({ key: keyFields({ ...tie, ...fields }), secret, now: MOMENT, by: OPERATOR }),
      );
      const found = made(await storedCredentials(db).find(secret.hash));
      return { by: found.principal, key, user, session: 0 };
    };

    const newUser = async (fields: Parameters<typeof userFields>[0] = {}): Promise<UserRecord> =>
      made(await users().insert(userFields(fields), MOMENT, OPERATOR));

    /** A session of a user with a password and a second factor. */
    const newSession = async (user: UserRecord): Promise<number> => {
      const hash = `session ${sessionHashes++}`;
      await db.migrate(async (run) => {
        await run(`INSERT INTO sign_in_accounts (user_id, provider, account, password_hash, created_at, updated_at)
          VALUES (${user.id}, 'credential', '${user.id}', 'hash', '${MOMENT}', '${MOMENT}')
          ON CONFLICT DO NOTHING`);
        await run(`INSERT INTO sessions (user_id, token_hash, last_seen_at, expires_at, ends_at, created_at, updated_at)
          VALUES (${user.id}, '${hash}', '${MOMENT}', '${LATER}', '${LATER}', '${MOMENT}', '${MOMENT}')`);
        await run(`INSERT INTO second_factors (user_id, secret, recovery_codes, verified)
          VALUES (${user.id}, 's', '[]', 1) ON CONFLICT DO NOTHING`);
      });
      return made(await sessions().find(hash, MOMENT)).session.id;
    };

    const bySession = async (user: UserRecord): Promise<Caller> => {
      const session = await newSession(user);
      return { by: { ...made(principalOfUser(user, session)), provedRecently: true }, key: null, user, session };
    };

    const admin = () => newUser({ role: "super_admin", permissions: EVERY_PERMISSION });
    const dealersAdmin = () => newUser({ role: "dealer_admin", dealerId: north, permissions: EVERY_PERMISSION });

    const CALLERS = {
      "a key": () => byKey({}, null),
      "a dealer's key": () => byKey({ dealerId: north }, null),
      "a key that ends": () => byKey({ expiresAt: SOON }, null),
      "a user's key": async () => byKey({}, await dealersAdmin()),
      "a session": async () => bySession(await dealersAdmin()),
    } as const satisfies Record<string, () => Promise<Caller>>;

    const changeKey = async ({ key }: Caller, fields: Partial<KeyRecord>) =>
      made(await changeStoredKey(keys(elsewhere), made(key), { does: "change", fields: { ...made(key), ...fields } }));
    const changeUser = async ({ user }: Caller, fields: Partial<UserRecord>) =>
      made(await changeStoredUser(users(elsewhere), made(user), { fields: { ...made(user), ...fields } }));

    interface Ending {
      readonly of: keyof typeof CALLERS;
      /** Ends the caller's access, through another instance. */
      readonly end?: (caller: Caller) => Promise<unknown>;
      /** When the change is made; by default right after the look-up. */
      readonly at?: string;
    }
    const ENDINGS: Readonly<Record<string, Ending>> = {
      "that was revoked": { of: "a key", end: (caller) => changeKey(caller, { active: false }) },
      "that was deleted": {
        of: "a key",
        end: ({ key }) => changeStoredKey(keys(elsewhere), made(key), { does: "remove" }),
      },
      "that got another secret": {
        of: "a key",
        end: ({ key }) =>
          changeStoredKey(keys(elsewhere), made(key), { does: "rotate", secret: newSecret(), previousEndsAt: MOMENT }),
      },
      "that lost a permission": { of: "a key", end: (caller) => changeKey(caller, { ownPermissions: 1 }) },
      "that got a lower rate limit": { of: "a key", end: (caller) => changeKey(caller, { rateLimit: 1 }) },
      "that was bound to a dealer": {
        of: "a key",
        end: (caller) => changeKey(caller, { association: "dealer", dealerId: north }),
      },
      "that was bound to another dealer": {
        of: "a dealer's key",
        end: (caller) => changeKey(caller, { dealerId: south }),
      },
      "that lost its dealer": {
        of: "a dealer's key",
        end: ({ key }) =>
          elsewhere.migrate(async (run) => void (await run(`DELETE FROM dealer_keys WHERE key_id = ${key?.id}`))),
      },
      "that expired": { of: "a key that ends", at: SOON },
      "whose user was deactivated": {
        of: "a user's key",
        end: (caller) => changeUser(caller, { active: false }),
      },
      "whose user got a lower role": { of: "a user's key", end: (caller) => changeUser(caller, { role: "user" }) },
      "whose user moved to another dealer": {
        of: "a user's key",
        end: (caller) => changeUser(caller, { dealerId: south }),
      },
      "that was ended": {
        of: "a session",
        end: ({ user, session }) =>
          sessions(elsewhere).end({ userId: made(user).id, which: { only: session }, now: MOMENT, by: OPERATOR }),
      },
      "that reached its end": { of: "a session", at: LATER },
      "of a user who was deactivated": { of: "a session", end: (caller) => changeUser(caller, { active: false }) },
      "of a user who got a lower role": { of: "a session", end: (caller) => changeUser(caller, { role: "user" }) },
      "of a user who lost permissions": {
        of: "a session",
        end: (caller) => changeUser(caller, { permissions: 1 }),
      },
      "of a user who moved to another dealer": {
        of: "a session",
        end: (caller) => changeUser(caller, { dealerId: south }),
      },
    };

    /** Records to change. */
    const newTargets = async () => {
      const user = await newUser();
      return {
        key: made(await keys().insert({ key: keyFields(), secret: newSecret(), now: MOMENT, by: OPERATOR })),
        user,
        session: await newSession(user),
      };
    };
    type Targets = Awaited<ReturnType<typeof newTargets>>;

    const CHANGES: Readonly<Record<string, (at: Targets, now: string, by: Principal) => Promise<unknown>>> = {
      "makes a key": (_, now, by) => keys().insert({ key: keyFields(), secret: newSecret(), now, by }),
      "changes a key": ({ key }, now, by) =>
        changeStoredKey(keys(), key, { does: "change", fields: { ...key, name: "Mine" }, now, by }),
      "rotates a key": ({ key }, now, by) =>
        changeStoredKey(keys(), key, { does: "rotate", secret: newSecret(), previousEndsAt: now, now, by }),
      "removes a key": ({ key }, now, by) => changeStoredKey(keys(), key, { does: "remove", now, by }),
      "makes a user": (_, now, by) => users().insert(userFields(), now, by),
      "changes a user": ({ user }, now, by) =>
        changeStoredUser(users(), user, { fields: { ...user, name: "Mine" }, now, by }),
      "lets a user go": ({ user }, now, by) =>
        makeOffboardingRepository(db, () => {}).offboard(
          { id: user.id, visibility: "everything", newOwnerId: null, now, by },
          (present) => ({ ...present, endedBy: "super_admin", changes: [], keyIds: [] }),
        ),
      "invites a user": ({ user }, now, by) =>
        makeInvitationRepository(db, () => {}).invite({
          ...signInChangeOf(user, { now, by }),
          tokenHash: `invitation ${sessionHashes++}`,
          expiresAt: LATER,
        }),
      "ends a user's sessions": ({ user }, now, by) =>
        sessions().endOf({ ...signInChangeOf(user, { now, by }), which: "all" }),
      "ends one of its user's sessions": ({ user, session }, now, by) =>
        sessions().end({ userId: user.id, which: { only: session }, now, by }),
      "changes a password": ({ user }, now, by) =>
        accounts().changePassword({ userId: user.id, passwordHash: "new", keptSession: 0, now, by }),
      "renews recovery codes": ({ user }, now, by) =>
        accounts().setRecoveryCodes({ userId: user.id, hashes: ["new"], now, by }),
      "removes a second factor": ({ user }, now, by) => accounts().removeSecondFactor(user.id, now, by),
      "resets a user's second factor": ({ user }, now, by) =>
        accounts().resetSecondFactor(signInChangeOf(user, { now, by })),
    };

    const TABLES = [
      "api_keys",
      "key_secrets",
      "dealer_keys",
      "users",
      "sessions",
      "sign_in_accounts",
      "second_factors",
    ];
    const state = async (): Promise<string> => {
      const tables = [...TABLES, "invitations", "audit_entries"];
      const read = inspectDatabase(db.url, (rows) =>
        Promise.all(tables.map((table) => rows(`SELECT * FROM ${table} ORDER BY 1`))),
      );
      return JSON.stringify(await read);
    };

    for (const [name, { of, end, at }] of Object.entries(ENDINGS))
      test(`are refused to ${of} ${name} after it was looked up`, async () => {
        const targets = await newTargets();
        const caller = await CALLERS[of]();
        await end?.(caller);
        const before = await state();
        for (const [change, make] of Object.entries(CHANGES)) {
          const outcome = await make(targets, at ?? MOMENT, caller.by).then(
            () => "made",
            (error: unknown) => (error instanceof AuthorizationLapsed ? "lapsed" : error),
          );
          expect([change, outcome]).toEqual([change, "lapsed"]);
        }
        expect(await state()).toBe(before);
      });

    for (const [of, caller] of Object.entries(CALLERS))
      test(`are accepted from ${of}, even if it or its user was renamed after it was looked up`, async () => {
        const { by, key, user } = await caller();
        if (key !== null)
          await changeStoredKey(keys(elsewhere), key, { does: "change", fields: { ...key, name: "Renamed" } });
        if (user !== null) await changeStoredUser(users(elsewhere), user, { fields: { ...user, name: "Renamed" } });
        for (const make of Object.values(CHANGES)) await make(await newTargets(), MOMENT, by);
      });

    /** The outcomes when two callers change each other at once, each through its own instance. */
    const conflict = async (attempts: readonly [() => Promise<unknown>, () => Promise<unknown>]): Promise<unknown[]> =>
      Promise.all(
        attempts.map((attempt) =>
          attempt().then(
            (outcome) => (outcome instanceof Failure ? outcome.cause : "done"),
            (error: unknown) => (error instanceof AuthorizationLapsed ? "lapsed" : error),
          ),
        ),
      );

    const instances = () => [coreOn(db, fakeClock()), coreOn(elsewhere, fakeClock())] as const;

    test("succeed for exactly one of two keys that revoke or delete each other at once", async () => {
      const [here, there] = instances();
      for (let round = 0; round < ROUNDS; round++) {
        const [one, other] = [await byKey({}, null), await byKey({}, null)];
        const [first, second] = [made(one.key).id, made(other.key).id];
        const outcomes = await conflict(
          round % 2
            ? [async () => here.keys.revoke(one.by, second), async () => there.keys.revoke(other.by, first)]
            : [async () => here.keys.remove(one.by, second), async () => there.keys.remove(other.by, first)],
        );
        expect(outcomes.toSorted()).toEqual(["done", "lapsed"]);
      }
    });

    test("succeed for exactly one of two super-admins who deactivate each other at once, by keys and by sessions", async () => {
      const [here, there] = instances();
      // Another super-admin, so that neither of the two is the last.
      await admin();
      for (let round = 0; round < ROUNDS; round++) {
        const [one, other] = [await admin(), await admin()];
        const caller = (user: UserRecord) => (round % 2 ? bySession(user) : byKey({}, user));
        const [first, second] = [await caller(one), await caller(other)];
        const outcomes = await conflict([
          async () => here.users.deactivate(first.by, other.id),
          async () => there.users.deactivate(second.by, one.id),
        ]);
        expect(outcomes.toSorted()).toEqual(["done", "lapsed"]);
      }
    });
  });
