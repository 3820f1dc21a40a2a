import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeAccountRepository } from "../../adapters/sql/sign-in/accounts.ts";
import { makeInvitationRepository } from "../../adapters/sql/sign-in/invitations.ts";
import { makeSessionRepository } from "../../adapters/sql/sign-in/sessions.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import type { Visibility } from "../../core/access/visibility.ts";
import { notFound } from "../../core/failure.ts";
import type { SignInChange } from "../../core/sign-in/account-repository.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { MOMENT, made, momentAfter, OPERATOR, userFields } from "../support/records.ts";
import { changeStoredUser, signInChangeOf } from "../support/user-changes.ts";

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
    const stateOf = async ({ id }: UserRecord) => ({
      sessions: await sessions().listOf(id, "everything", MOMENT),
      state: await accounts().state(id, "everything", MOMENT),
    });

    const READS: Readonly<Record<string, (id: number, visibility: Visibility) => Promise<unknown>>> = {
      "how a user signs in": (id, visibility) => accounts().state(id, visibility, MOMENT),
      "a user's sessions": (id, visibility) => sessions().listOf(id, visibility, MOMENT),
    };
    for (const [name, read] of Object.entries(READS))
      test(`read ${name} only for those who see the user`, async () => {
        const { id } = await person();
        expect(await read(id, "everything")).not.toBeNull();
        expect(await read(id, { userId: id })).not.toBeNull();
        expect(await read(id, { userId: id + 1 })).toBeNull();
      });

    const CHANGES: Readonly<Record<string, { make: (change: SignInChange) => Promise<unknown>; answer: object }>> = {
      "ending sessions": { make: (change) => sessions().endOf({ ...change, which: "all" }), answer: { ended: 2 } },
      "resetting the second factor": {
        make: (change) => accounts().resetSecondFactor(change),
        answer: { wasSet: true },
      },
      inviting: {
        make: (change) => invitations().invite({ ...change, tokenHash: newHash(), expiresAt: LATER }),
        answer: { name: "Renamed" },
      },
    };
    for (const [name, { make, answer }] of Object.entries(CHANGES)) {
      test(`such as ${name} are decided by what the user is by then`, async () => {
        const user = await renamed(await person());
        const seen: UserRecord[] = [];
        const refusal = (present: UserRecord) => {
          seen.push(present);
          return null;
        };
        expect(await make(signInChangeOf(user, { refusal }))).toMatchObject(answer);
        expect(seen).toEqual([user]);
      });

      test(`such as ${name} change nothing if they are refused, or if the caller cannot see the user`, async () => {
        const user = await person();
        const before = await stateOf(user);
        expect(before.sessions).toHaveLength(2);
        const refused = notFound("user", user.id);
        expect(await make(signInChangeOf(user, { refusal: () => refused }))).toBe(refused);
        expect(await make({ ...signInChangeOf(user), visibility: { userId: user.id + 1 } })).toBeNull();
        expect(await stateOf(user)).toEqual(before);
      });
    }

    test("never leave a valid invitation if the user's role changes at the same time", async () => {
      for (let round = 0; round < CROSSINGS; round++) {
        const user = await person();
        const hash = newHash();
        const [, promoted] = await Promise.all([
          invitations().invite({
            ...signInChangeOf(user, {
              refusal: ({ role }) => (role === "super_admin" ? notFound("user", user.id) : null),
            }),
            tokenHash: hash,
            expiresAt: LATER,
          }),
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
