import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeSessionRepository } from "../../adapters/sql/sign-in/sessions.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import type { SessionRepository } from "../../core/sign-in/sessions.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { ENGINES } from "../support/engines.ts";
import { MOMENT, made, momentAfter, OPERATOR, userFields } from "../support/records.ts";

const LIFE_MS = 60_000;
const END = momentAfter(LIFE_MS);

/** A session's last millisecond, its end, and the millisecond after. */
const MOMENTS = [
  { name: "a millisecond before its end", now: momentAfter(LIFE_MS - 1), isValid: true },
  { name: "at its end", now: END, isValid: false },
  { name: "a millisecond after its end", now: momentAfter(LIFE_MS + 1), isValid: false },
] as const;

for (const engine of ENGINES)
  describe(`a session on ${engine.name}`, () => {
    let db: SqlDatabase;
    let sessions: SessionRepository;
    let count = 0;
    beforeAll(async () => {
      db = await engine.open();
      sessions = makeSessionRepository(db);
    });
    afterAll(() => db.close());

    const run = (text: string): Promise<void> => db.migrate(async (execute) => void (await execute(text)));
    const setPassword = ({ id }: UserRecord): Promise<void> =>
      run(`INSERT INTO sign_in_accounts (user_id, provider, account, password_hash, created_at, updated_at)
        VALUES (${id}, 'credential', '${id}', 'hash', '${MOMENT}', '${MOMENT}')`);
    const deactivate = ({ id }: UserRecord): Promise<void> => run(`UPDATE users SET active = 0 WHERE id = ${id}`);
    /** A user who is signed in until END, in this many places. */
    const signedIn = async (places = 1): Promise<{ user: UserRecord; hashes: string[] }> => {
      const user = made(await makeUserRepository(db, () => {}).insert(userFields(), MOMENT, OPERATOR));
      const hashes = Array.from({ length: places }, () => `session ${++count}`);
      for (const hash of hashes)
        await run(`INSERT INTO sessions (user_id, token_hash, last_seen_at, expires_at, ends_at, created_at, updated_at)
          VALUES (${user.id}, '${hash}', '${MOMENT}', '${END}', '${END}', '${MOMENT}', '${MOMENT}')`);
      return { user, hashes };
    };
    const idsOf = async ({ id }: UserRecord): Promise<number[]> =>
      (await sessions.list(id, MOMENT)).map((session) => session.id).sort((one, other) => one - other);

    for (const { name, now, isValid } of MOMENTS) {
      test(`is ${isValid ? "valid" : "invalid"} ${name}`, async () => {
        const { user, hashes } = await signedIn();
        const found = await sessions.find(hashes[0] ?? "", now);
        expect(found?.user.id ?? null).toBe(isValid ? user.id : null);
      });

      test(`is ${isValid ? "listed" : "not listed"} ${name}`, async () => {
        const { user } = await signedIn();
        expect(await sessions.list(user.id, now)).toHaveLength(isValid ? 1 : 0);
        expect(await sessions.listOf(user, now)).toHaveLength(isValid ? 1 : 0);
      });

      test(`is ${isValid ? "ended" : "not counted as ended"} ${name}`, async () => {
        const { user } = await signedIn();
        expect(await sessions.end({ userId: user.id, which: "all", now, by: OPERATOR })).toBe(isValid ? 1 : 0);
      });

      test(`is ${isValid ? "kept" : "deleted"} ${name}`, async () => {
        const { user } = await signedIn();
        await sessions.removeExpired(now);
        expect(await idsOf(user)).toHaveLength(isValid ? 1 : 0);
      });
    }

    test("can be ended alone, left alone, or ended with all of its user's; other users' sessions stay", async () => {
      const { user, hashes } = await signedIn(3);
      const other = await signedIn();
      const [first = 0] = await idsOf(user);
      const [strange = 0] = await idsOf(other.user);
      expect(await sessions.end({ userId: user.id, which: { only: strange }, now: MOMENT, by: OPERATOR })).toBe(0);
      expect(await sessions.end({ userId: user.id, which: { only: first }, now: MOMENT, by: OPERATOR })).toBe(1);
      const [second = 0] = await idsOf(user);
      expect(await sessions.end({ userId: user.id, which: { allBut: second }, now: MOMENT, by: OPERATOR })).toBe(1);
      expect(await idsOf(user)).toEqual([second]);
      expect(await sessions.end({ userId: user.id, which: "all", now: MOMENT, by: OPERATOR })).toBe(1);
      for (const hash of hashes) expect(await sessions.find(hash, MOMENT)).toBeNull();
      expect(await idsOf(other.user)).toEqual([strange]);
    });

    test("records its own use and proof, and no other session's", async () => {
      const { user, hashes } = await signedIn(2);
      const [id = 0] = await idsOf(user);
      const [used, proved] = [momentAfter(1000), momentAfter(2000)];
      await sessions.recordUse(id, used, momentAfter(LIFE_MS + 1));
      await sessions.prove(id, proved);
      const found = await Promise.all(hashes.map((hash) => sessions.find(hash, END)));
      expect(found.filter((one) => one !== null)).toMatchObject([
        { session: { id, lastSeenAt: used, expiresAt: momentAfter(LIFE_MS + 1) }, provedAt: proved },
      ]);
      const spared = (await sessions.list(user.id, MOMENT)).find((session) => session.id !== id);
      expect(spared).toMatchObject({ lastSeenAt: MOMENT, expiresAt: END });
      expect((await sessions.find(hashes[1] ?? "", MOMENT))?.provedAt).toBe(MOMENT);
    });

    test("of a deactivated user is invalid", async () => {
      const { user, hashes } = await signedIn();
      await deactivate(user);
      expect(await sessions.find(hashes[0] ?? "", MOMENT)).toBeNull();
    });

    test("continues only for an active user with the same password, and otherwise ends alone", async () => {
      const { user, hashes } = await signedIn(2);
      const [begun = "", other = ""] = hashes;
      await setPassword(user);
      expect(await sessions.keepIfUnchanged(begun, user.id, "hash")).toBe(true);
      expect(await sessions.keepIfUnchanged(null, user.id, "older hash")).toBe(false);
      expect(await sessions.find(begun, MOMENT)).not.toBeNull();
      expect(await sessions.keepIfUnchanged(begun, user.id, "older hash")).toBe(false);
      expect([await sessions.find(begun, MOMENT), await sessions.find(other, MOMENT)]).toMatchObject([null, { user }]);
      await deactivate(user);
      expect(await sessions.keepIfUnchanged(other, user.id, "hash")).toBe(false);
    });

    test("continues only for the user whose password it was", async () => {
      const { user } = await signedIn();
      const other = await signedIn();
      await setPassword(user);
      expect(await sessions.keepIfUnchanged(other.hashes[0] ?? "", other.user.id, "hash")).toBe(false);
    });
  });
