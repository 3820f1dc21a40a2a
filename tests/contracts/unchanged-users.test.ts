import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeAccountRepository } from "../../adapters/sql/sign-in/accounts.ts";
import { makeInvitationRepository } from "../../adapters/sql/sign-in/invitations.ts";
import { makeSessionRepository } from "../../adapters/sql/sign-in/sessions.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import type { UserVersion } from "../../core/sign-in/account-repository.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { MOMENT, made, momentAfter, OPERATOR, userFields } from "../support/records.ts";
import { changeStoredUser } from "../support/user-changes.ts";

const LATER = momentAfter(60_000);
const CROSSINGS = inGate(12, 40);

for (const engine of ENGINES)
  describe(`actions on another user on ${engine.name}`, () => {
    let db: SqlDatabase;
    /** Another instance's connection to the same database. */
    let elsewhere: SqlDatabase;
    let count = 0;
    beforeAll(async () => {
      [db, elsewhere] = await openTwice(engine);
    });
    afterAll(() => Promise.all([db.close(), elsewhere.close()]));

    const users = () => makeUserRepository(db, () => {});
    const sessions = () => makeSessionRepository(db);
    const accounts = () => makeAccountRepository(db);
    const invitations = () => makeInvitationRepository(db, () => {});
    const newHash = (): string => `hash ${count++}`;

    /** A user with a password, two sessions and a second factor. */
    const person = async (): Promise<UserRecord> => {
      const user = made(await users().insert(userFields({}), MOMENT, OPERATOR));
      const [first, second] = [newHash(), newHash()];
      await db.migrate(async (run) => {
        await run(`INSERT INTO sign_in_accounts (user_id, provider, account, password_hash, created_at, updated_at)
          VALUES (${user.id}, 'credential', '${user.id}', 'hash', '${MOMENT}', '${MOMENT}')`);
        for (const hash of [first, second])
          await run(`INSERT INTO sessions (user_id, token_hash, last_seen_at, expires_at, ends_at, created_at, updated_at)
            VALUES (${user.id}, '${hash}', '${MOMENT}', '${LATER}', '${LATER}', '${MOMENT}', '${MOMENT}')`);
        await run(
          `INSERT INTO second_factors (user_id, secret, recovery_codes, verified) VALUES (${user.id}, 's', '[]', 1)`,
        );
      });
      return user;
    };
    const renamed = async (user: UserRecord): Promise<UserRecord> =>
      made(await changeStoredUser(users(), user, { fields: { ...user, name: "Renamed" }, now: momentAfter(5) }));
    const stateOf = async (user: UserVersion) => ({
      sessions: await sessions().listOf(user, MOMENT),
      state: await accounts().state(user, MOMENT),
    });

    const ACTIONS: Readonly<Record<string, { act: (user: UserVersion) => Promise<unknown>; answer: unknown }>> = {
      "reading how the user signs in": {
        act: (user) => accounts().state(user, MOMENT),
        answer: { secondFactor: true, invitedUntil: null, hasPassword: true },
      },
      "listing sessions": {
        act: async (user) => (await sessions().listOf(user, MOMENT))?.length ?? null,
        answer: 2,
      },
      "ending sessions": {
        act: (user) => sessions().endOf({ user, which: "all", now: MOMENT, by: OPERATOR }),
        answer: 2,
      },
      "resetting the second factor": {
        act: (user) => accounts().resetSecondFactor(user, MOMENT, OPERATOR),
        answer: true,
      },
      inviting: {
        act: (user) =>
          invitations().invite({ user, tokenHash: newHash(), now: MOMENT, expiresAt: LATER, by: OPERATOR }),
        answer: true,
      },
    };
    for (const [name, { act, answer }] of Object.entries(ACTIONS)) {
      test(`such as ${name} succeed if the user has not changed`, async () => {
        expect(await act(await person())).toEqual(answer);
      });

      test(`such as ${name} are refused and change nothing if the user has changed since`, async () => {
        const user = await person();
        const present = await renamed(user);
        const before = await stateOf(present);
        expect(before.sessions).toHaveLength(2);
        expect(await act(user)).toBeNull();
        expect(await stateOf(present)).toEqual(before);
      });
    }

    test("never leave a valid invitation if the user's role changes at the same time", async () => {
      for (let round = 0; round < CROSSINGS; round++) {
        const user = await person();
        const hash = newHash();
        const [, promoted] = await Promise.all([
          invitations().invite({ user, tokenHash: hash, now: MOMENT, expiresAt: LATER, by: OPERATOR }),
          changeStoredUser(
            makeUserRepository(elsewhere, () => {}),
            user,
            { fields: { ...user, role: "super_admin", dealerId: null }, now: momentAfter(5) },
          ),
        ]);
        expect(promoted).toMatchObject({ role: "super_admin" });
        expect(await invitations().find(hash, MOMENT)).toBeNull();
      }
    });
  });
