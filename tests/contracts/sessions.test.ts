import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { beginChallenge } from "../../adapters/sql/sign-in/challenges.ts";
import { makeSessionRepository } from "../../adapters/sql/sign-in/sessions.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import type { NewSession, SessionRepository } from "../../core/sign-in/sessions.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { ENGINES } from "../support/engines.ts";
import { MOMENT, made, momentAfter, OPERATOR, userFields } from "../support/records.ts";

const LIFETIME_MS = 60_000;
const END = momentAfter(LIFETIME_MS);

/** A session's last millisecond, its end, and the millisecond after. */
const MOMENTS = [
  { name: "a millisecond before its end", now: momentAfter(LIFETIME_MS - 1), isValid: true },
  { name: "at its end", now: END, isValid: false },
  { name: "a millisecond after its end", now: momentAfter(LIFETIME_MS + 1), isValid: false },
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
    /** A user with this many sessions until END. */
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
        expect(await sessions.listOf(user.id, "everything", now)).toHaveLength(isValid ? 1 : 0);
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

    test("can be ended alone, with the user's other ones or all together; other users' sessions stay", async () => {
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
      await sessions.recordUse(id, used, momentAfter(LIFETIME_MS + 1));
      await sessions.prove(id, proved);
      const found = await Promise.all(hashes.map((hash) => sessions.find(hash, END)));
      expect(found.filter((one) => one !== null)).toMatchObject([
        { session: { id, lastSeenAt: used, expiresAt: momentAfter(LIFETIME_MS + 1) }, provedAt: proved },
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

    const beginning = ({ id: userId }: UserRecord, passwordHash = "hash"): NewSession => ({
      userId,
      passwordHash,
      tokenHash: `session ${++count}`,
      address: "192.0.2.7",
      userAgent: "",
      now: MOMENT,
      expiresAt: END,
      endsAt: END,
    });
    const CHALLENGE = { token: "challenge", endsAt: END };
    /** A second factor with these recovery codes. */
    const setFactor = ({ id }: UserRecord, isConfirmed: boolean, codes: readonly string[] = []): Promise<void> =>
      run(`INSERT INTO second_factors (user_id, secret, recovery_codes, verified)
        VALUES (${id}, 'sealed ${id}', '${JSON.stringify(codes)}', ${isConfirmed ? 1 : 0})`);
    const codesOf = async (hash: string): Promise<number | undefined> =>
      (await sessions.find(hash, MOMENT))?.recoveryCodesLeft;

    test("starts only for an active user with the current password", async () => {
      const { user } = await signedIn(0);
      // Only another user has this password.
      await setPassword((await signedIn(0)).user);
      const strangers = beginning(user);
      expect(await sessions.begin(strangers, CHALLENGE)).toBeNull();
      await setPassword(user);
      const session = beginning(user);
      expect(await sessions.begin(session, CHALLENGE)).toBe("session");
      expect(await sessions.find(session.tokenHash, MOMENT)).toMatchObject({ user, provedAt: MOMENT });
      expect(await sessions.begin(beginning(user, "older hash"), CHALLENGE)).toBeNull();
      expect(await idsOf(user)).toHaveLength(1);
      await sessions.withdraw(session.tokenHash);
      expect(await idsOf(user)).toEqual([]);
      await deactivate(user);
      expect(await sessions.begin(beginning(user), CHALLENGE)).toBeNull();
    });

    test("starts for a user with a second factor only by that user's challenge, and only once", async () => {
      const { user } = await signedIn(0);
      const other = await signedIn(0);
      for (const one of [user, other.user]) {
        await setPassword(one);
        await setFactor(one, true);
      }
      const token = `challenge of ${user.id}`;
      expect(await sessions.begin(beginning(user), { token, endsAt: END })).toBe("challenge");
      expect(await idsOf(user)).toEqual([]);
      const used = { challenge: token, recoveryHash: null };
      expect(await sessions.beginProved(beginning(user, "older hash"), used)).toBe(false);
      const replies = await Promise.all([1, 2, 3].map(() => sessions.beginProved(beginning(user), used)));
      expect(replies.filter(Boolean)).toHaveLength(1);
      expect(await idsOf(user)).toHaveLength(1);
      await sessions.begin(beginning(user), { token, endsAt: END });
      expect(await sessions.beginProved(beginning(other.user), used)).toBe(false);
      expect(await sessions.beginProved({ ...beginning(user), now: END }, used)).toBe(false);
    });

    test("starts by an unused recovery code, and uses it up", async () => {
      const { user } = await signedIn(0);
      await setPassword(user);
      await setFactor(user, true, ["one", "two"]);
      const other = await signedIn();
      await setFactor(other.user, true, ["one", "two"]);
      const challenge = `challenge of ${user.id}`;
      for (const [recoveryHash, isLeft] of [
        ["one", true],
        ["one", false],
        ["never one", false],
      ] as const) {
        await sessions.begin(beginning(user), { token: challenge, endsAt: END });
        const session = beginning(user);
        expect(await sessions.beginProved(session, { challenge, recoveryHash })).toBe(isLeft);
        if (isLeft) expect(await codesOf(session.tokenHash)).toBe(1);
      }
      expect(await codesOf(other.hashes[0] ?? "")).toBe(2);
    });

    test("does not start by a code of an unconfirmed second factor", async () => {
      const { user } = await signedIn(0);
      await setPassword(user);
      await setFactor(user, false, ["one"]);
      const token = `challenge of ${user.id}`;
      await db.write((tx) => beginChallenge(tx, { token, userId: user.id, now: MOMENT, endsAt: END }));
      expect(await sessions.beginProved(beginning(user), { challenge: token, recoveryHash: "one" })).toBe(false);
      expect(await idsOf(user)).toEqual([]);
    });

    test("is replaced when it confirms a second factor, but only if it is valid and confirms the latest offer", async () => {
      const { user, hashes } = await signedIn(2);
      await setPassword(user);
      await setFactor(user, false, ["offered"]);
      expect(await codesOf(hashes[0] ?? "")).toBe(0);
      const [replaced = 0, other = 0] = await idsOf(user);
      const stranger = await signedIn();
      const [strange = 0] = await idsOf(stranger.user);
      await run(`INSERT INTO second_factors (user_id, secret, recovery_codes, verified)
        VALUES (${stranger.user.id}, 'sealed ${user.id}', '["offered"]', 0)`);
      const seen = { replaced, sealed: `sealed ${user.id}`, recoveryHashes: ["one", "two", "three"] };
      for (const [session, confirmed] of [
        [beginning(user, "older hash"), seen],
        [{ ...beginning(user), now: END }, seen],
        [beginning(user), { ...seen, replaced: 0 }],
        [beginning(user), { ...seen, replaced: strange }],
        [beginning(user), { ...seen, sealed: "an offer before" }],
      ] as const)
        expect(await sessions.beginConfirmed(session, confirmed)).toBe(false);
      expect(await idsOf(user)).toEqual([replaced, other]);
      expect(await idsOf(stranger.user)).toEqual([strange]);
      const session = beginning(user);
      expect(await sessions.beginConfirmed(session, seen)).toBe(true);
      expect(await codesOf(session.tokenHash)).toBe(3);
      expect(await codesOf(stranger.hashes[0] ?? "")).toBe(0);
      const left = await idsOf(user);
      expect([left.length, left.includes(replaced), left.includes(other)]).toEqual([2, false, true]);
      expect(await sessions.beginConfirmed(beginning(user), { ...seen, replaced: other })).toBe(false);
    });
  });
