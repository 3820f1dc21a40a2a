import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeAccountRepository } from "../../adapters/sql/sign-in/accounts.ts";
import { makeSessionRepository } from "../../adapters/sql/sign-in/sessions.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import type { AccountRepository } from "../../core/sign-in/account-repository.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { ENGINES } from "../support/engines.ts";
import { MOMENT, made, momentAfter, OPERATOR, userFields } from "../support/records.ts";
import { signInChangeOf } from "../support/user-changes.ts";

const LIFETIME_MS = 60_000;
const END = momentAfter(LIFETIME_MS);

/** What a test's user has; by default nothing of it. */
interface Having {
  readonly password?: string;
  readonly factor?: "confirmed" | "begun";
  readonly isInvited?: boolean;
  readonly sessions?: number;
  readonly isInactive?: boolean;
}

for (const engine of ENGINES)
  describe(`a user's sign-in account on ${engine.name}`, () => {
    let db: SqlDatabase;
    let accounts: AccountRepository;
    let count = 0;
    beforeAll(async () => {
      db = await engine.open();
      accounts = makeAccountRepository(db);
      // Another user, who has everything.
      await person({ password: "another hash", factor: "confirmed", isInvited: true, sessions: 2 });
    });
    afterAll(() => db.close());

    const person = async (having: Having = {}): Promise<UserRecord> => {
      const { password, factor, isInvited, sessions = 0, isInactive } = having;
      const user = made(await makeUserRepository(db, () => {}).insert(userFields(), MOMENT, OPERATOR));
      const id = ++count;
      await db.migrate(async (run) => {
        if (password !== undefined)
          await run(`INSERT INTO sign_in_accounts (user_id, provider, account, password_hash, created_at, updated_at)
            VALUES (${user.id}, 'credential', '${user.id}', '${password}', '${MOMENT}', '${MOMENT}')`);
        if (factor !== undefined)
          await run(`INSERT INTO second_factors (user_id, secret, recovery_codes, verified)
            VALUES (${user.id}, 'secret', '["code ${id}"]', ${factor === "confirmed" ? 1 : 0})`);
        if (isInvited)
          await run(`INSERT INTO invitations (kind, user_id, token_hash, created_at, expires_at)
            VALUES ('invitation', ${user.id}, 'invitation ${id}', '${MOMENT}', '${END}')`);
        for (let session = 0; session < sessions; session++)
          await run(`INSERT INTO sessions (user_id, token_hash, last_seen_at, expires_at, ends_at, created_at, updated_at)
            VALUES (${user.id}, 'session ${id} ${session}', '${MOMENT}', '${END}', '${END}', '${MOMENT}', '${MOMENT}')`);
        if (isInactive) await run(`UPDATE users SET active = 0 WHERE id = ${user.id}`);
      });
      return user;
    };
    /** What a user signs in with, and the number of the user's sessions. */
    const signInOf = async (user: UserRecord) => ({
      password: await accounts.passwordHash(user.id),
      codes: await accounts.recoveryHashes(user.id),
      hasFactor: (await accounts.state(user.id, "everything", MOMENT))?.secondFactor,
      sessions: (await makeSessionRepository(db).list(user.id, MOMENT)).length,
    });

    test("is found by id while its user is active, and by address only if it also has a password", async () => {
      const found = await Promise.all(
        ([{}, { password: "hash" }, { password: "hash", isInactive: true }] as const).map(async (having) => {
          const { id, email } = await person(having);
          const byEmail = await accounts.findByEmail(email.toUpperCase());
          return [(await accounts.find(id))?.id === id, byEmail?.id === id];
        }),
      );
      expect(found).toEqual([
        [true, false],
        [true, true],
        [false, false],
      ]);
    });

    test("has only its own user's password, second factor and invitation", async () => {
      const user = await person();
      const none = { email: user.email, secondFactor: false, invitedUntil: null, hasPassword: false };
      expect(await accounts.state(user.id, "everything", MOMENT)).toEqual(none);
      expect(await signInOf(user)).toEqual({ password: null, codes: [], hasFactor: false, sessions: 0 });
      const whole = await person({ password: "own hash", factor: "confirmed", isInvited: true });
      const all = { email: whole.email, secondFactor: true, invitedUntil: END, hasPassword: true };
      expect(await accounts.state(whole.id, "everything", MOMENT)).toEqual(all);
      expect(await signInOf(whole)).toMatchObject({ password: "own hash", codes: [`code ${count}`], hasFactor: true });
    });

    test("has an invitation until it ends, to the millisecond", async () => {
      const user = await person({ isInvited: true });
      const until = async (now: string) => (await accounts.state(user.id, "everything", now))?.invitedUntil;
      expect([await until(momentAfter(LIFETIME_MS - 1)), await until(END)]).toEqual([END, null]);
    });

    test("has no second factor or recovery codes before the second factor is confirmed", async () => {
      const user = await person({ factor: "begun" });
      const by = { now: MOMENT, by: OPERATOR };
      expect(await signInOf(user)).toMatchObject({ codes: [], hasFactor: false });
      expect(await accounts.setRecoveryCodes({ userId: user.id, hashes: ["new"], ...by })).toBe(false);
      expect(await accounts.removeSecondFactor(user.id, MOMENT, OPERATOR)).toBe(false);
    });

    test("can be changed without affecting any other account", async () => {
      const having = { password: "hash", factor: "confirmed", sessions: 2 } as const;
      const [user, other] = [await person(having), await person(having)];
      const [before, own] = [await signInOf(other), await signInOf(user)];
      const by = { now: MOMENT, by: OPERATOR };
      const [kept] = await makeSessionRepository(db).list(user.id, MOMENT);
      await accounts.changePassword({ userId: user.id, passwordHash: "new hash", keptSession: kept?.id ?? 0, ...by });
      expect(await signInOf(user)).toEqual({ ...own, password: "new hash", sessions: 1 });
      expect((await makeSessionRepository(db).list(user.id, MOMENT)).map(({ id }) => id)).toEqual([kept?.id ?? 0]);
      expect(await signInOf(other)).toEqual(before);
      expect(await accounts.setRecoveryCodes({ userId: user.id, hashes: ["new"], ...by })).toBe(true);
      expect((await signInOf(user)).codes).toEqual(["new"]);
      expect(await signInOf(other)).toEqual(before);
      expect(await accounts.removeSecondFactor(user.id, MOMENT, OPERATOR)).toBe(true);
      expect(await signInOf(user)).toMatchObject({ codes: [], hasFactor: false });
      expect(await signInOf(other)).toEqual(before);
      expect(await accounts.resetSecondFactor(signInChangeOf(user))).toMatchObject({ wasSet: false });
      expect(await signInOf(other)).toEqual(before);
    });
  });
