import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { tokens } from "../../adapters/sign-in/tokens.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeAccountRepository } from "../../adapters/sql/sign-in/accounts.ts";
import { makeInvitationRepository } from "../../adapters/sql/sign-in/invitations.ts";
import { makeSessionRepository } from "../../adapters/sql/sign-in/sessions.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { Failure } from "../../core/failure.ts";
import { EVERY_PERMISSION } from "../../core/permissions.ts";
import type { InvitationRepository } from "../../core/sign-in/account-repository.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { MOMENT, made, momentAfter, userFields } from "../support/records.ts";
import { changeStoredUser, signInChangeOf } from "../support/user-changes.ts";

const DAY = 24 * 60 * 60;
const SAM = { name: "Sam Example", email: "sam@example.com" };

for (const engine of ENGINES)
  describe(`the set-up link of the first super-admin on ${engine.name}`, () => {
    const clock = fakeClock();
    let db: SqlDatabase;
    let invitations: InvitationRepository;
    beforeEach(async () => {
      db = await engine.open();
      invitations = makeInvitationRepository(db, () => {});
    });
    afterEach(() => db.close());

    /** Offers the link as a starting service does; `null` if none is offered. */
    const offer = async (): Promise<string | null> => {
      const { hash } = tokens.issue();
      return (await invitations.offerFirst({
        tokenHash: hash,
        now: clock.now(),
        expiresAt: clock.after(DAY),
        replaced: clock.after(-60),
      }))
        ? hash
        : null;
    };
    const isUsable = async (hash: string | null) => (await invitations.find(hash ?? "", clock.now())) !== null;
    const someUser = async (): Promise<UserRecord> => {
      const fields = {
        ...SAM,
        role: "super_admin",
        dealerId: null,
        permissions: EVERY_PERMISSION,
        active: true,
        endedBy: null,
      } as const;
      const user = await makeUserRepository(db, () => {}).insert(fields, clock.now(), OPERATOR);
      if (typeof user === "symbol" || user instanceof Failure) throw new Error("the user was not made");
      return user;
    };

    test("is renewed at each start, and voids the previous one unless the starts were within a minute", async () => {
      const first = await offer();
      clock.advance(30_000);
      const second = await offer();
      expect([await isUsable(first), await isUsable(second)]).toEqual([true, true]);
      clock.advance(45_000);
      const third = await offer();
      expect([await isUsable(first), await isUsable(second), await isUsable(third)]).toEqual([false, true, true]);
    });

    test("survives a start up to exactly a minute later", async () => {
      const first = await offer();
      clock.advance(60_000);
      await offer();
      expect(await isUsable(first)).toBe(true);
      clock.advance(1);
      await offer();
      expect(await isUsable(first)).toBe(false);
    });

    test("leaves other users' invitations usable when it is used", async () => {
      const user = await someUser();
      const first = await offer();
      const { hash } = tokens.issue();
      await invitations.invite({
        ...signInChangeOf(user, { now: clock.now() }),
        tokenHash: hash,
        expiresAt: clock.after(DAY),
      });
      const robin = { name: "Robin", email: "robin@example.com" };
      expect(
        await invitations.use({ tokenHash: first ?? "", passwordHash: "hash", first: robin, now: clock.now() }),
      ).toMatchObject(robin);
      expect((await invitations.find(hash, clock.now()))?.user?.id).toBe(user.id);
    });

    test("ends after 24 hours", async () => {
      const hash = await offer();
      clock.advance((DAY - 1) * 1000);
      expect(await isUsable(hash)).toBe(true);
      clock.advance(1000);
      expect(await isUsable(hash)).toBe(false);
      expect(
        await invitations.use({ tokenHash: hash ?? "", passwordHash: "hash", first: SAM, now: clock.now() }),
      ).toBeNull();
    });

    test("is not offered once somebody was invited or can sign in", async () => {
      const user = await someUser();
      expect(await offer()).not.toBeNull();
      const { hash } = tokens.issue();
      await invitations.invite({
        ...signInChangeOf(user, { now: clock.now() }),
        tokenHash: hash,
        expiresAt: clock.after(DAY),
      });
      expect(await offer()).toBeNull();
      clock.advance(2 * DAY * 1000);
      expect(await offer()).toBeNull();
    });

    test("is void as soon as somebody else can sign in, even if both links are used at once", async () => {
      const user = await someUser();
      const first = await offer();
      const { hash } = tokens.issue();
      await invitations.invite({
        ...signInChangeOf(user, { now: clock.now() }),
        tokenHash: hash,
        expiresAt: clock.after(DAY),
      });
      expect(await isUsable(first)).toBe(true);
      expect(
        await invitations.use({ tokenHash: hash, passwordHash: "hash", first: null, now: clock.now() }),
      ).toMatchObject({ id: user.id });
      expect(await isUsable(first)).toBe(false);
      const another = { name: "Robin", email: "robin@example.com" };
      expect(
        await invitations.use({ tokenHash: first ?? "", passwordHash: "hash", first: another, now: clock.now() }),
      ).toBeNull();
    });

    test("is offered and works while nobody who is active can sign in", async () => {
      const user = await someUser();
      const { hash } = tokens.issue();
      await invitations.invite({
        ...signInChangeOf(user, { now: clock.now() }),
        tokenHash: hash,
        expiresAt: clock.after(DAY),
      });
      await invitations.use({ tokenHash: hash, passwordHash: "hash", first: null, now: clock.now() });
      expect(await offer()).toBeNull();
      await db.migrate(async (run) => void (await run("UPDATE users SET active = 0")));
      const link = await offer();
      expect(await isUsable(link)).toBe(true);
      const robin = { name: "Robin", email: "robin@example.com" };
      expect(
        await invitations.use({ tokenHash: link ?? "", passwordHash: "hash", first: robin, now: clock.now() }),
      ).toMatchObject(robin);
    });

    test("does not work as an invitation, nor an invitation as the link", async () => {
      const user = await someUser();
      const first = await offer();
      const { hash } = tokens.issue();
      await invitations.invite({
        ...signInChangeOf(user, { now: clock.now() }),
        tokenHash: hash,
        expiresAt: clock.after(DAY),
      });
      expect(
        await invitations.use({ tokenHash: first ?? "", passwordHash: "hash", first: null, now: clock.now() }),
      ).toBeNull();
      const another = { name: "Robin", email: "robin@example.com" };
      expect(
        await invitations.use({ tokenHash: hash, passwordHash: "hash", first: another, now: clock.now() }),
      ).toBeNull();
      expect([await isUsable(first), await isUsable(hash)]).toEqual([true, true]);
    });
  });

for (const engine of ENGINES)
  describe(`a user on ${engine.name}`, () => {
    test("who uses an invitation leaves others' invitations, passwords and sessions alone", async () => {
      const db = await engine.open();
      const invitations = makeInvitationRepository(db, () => {});
      const accounts = makeAccountRepository(db);
      const sessions = makeSessionRepository(db);
      const invited = async (tokenHash: string): Promise<UserRecord> => {
        const user = made(await makeUserRepository(db, () => {}).insert(userFields(), MOMENT, OPERATOR));
        await invitations.invite({ ...signInChangeOf(user), tokenHash, expiresAt: momentAfter(DAY * 1000) });
        return user;
      };
      const use = (tokenHash: string, passwordHash: string) =>
        invitations.use({ tokenHash, passwordHash, first: null, now: MOMENT });
      const signIn = async (user: UserRecord, passwordHash: string) =>
        sessions.begin(
          {
            ...{ userId: user.id, passwordHash, tokenHash: `session of ${user.id}`, address: "", userAgent: "" },
            ...{ now: MOMENT, expiresAt: momentAfter(DAY), endsAt: momentAfter(DAY) },
          },
          { token: "none", endsAt: MOMENT },
        );
      const [user, settled] = [await invited("own link"), await invited("used link")];
      const waiting = await invited("other link");
      expect(await use("used link", "settled hash")).toMatchObject({ id: settled.id });
      expect(await signIn(settled, "settled hash")).toBe("session");
      expect(await use("own link", "own hash")).toMatchObject({ id: user.id });
      expect(await use("own link", "another hash")).toBeNull();
      expect(await accounts.passwordHash(user.id)).toBe("own hash");
      expect(await accounts.passwordHash(settled.id)).toBe("settled hash");
      expect(await sessions.list(settled.id, MOMENT)).toHaveLength(1);
      expect((await invitations.find("other link", MOMENT))?.user?.id).toBe(waiting.id);
      await db.close();
    });

    test("who is not active cannot use an invitation", async () => {
      const db = await engine.open();
      const invitations = makeInvitationRepository(db, () => {});
      const inactive = { ...userFields(), active: false };
      const user = made(await makeUserRepository(db, () => {}).insert(inactive, MOMENT, OPERATOR));
      const tokenHash = "link of somebody inactive";
      const invitation = { ...signInChangeOf(user), tokenHash, expiresAt: momentAfter(DAY * 1000) };
      expect(await invitations.invite(invitation)).toMatchObject({ id: user.id });
      expect(await invitations.find(tokenHash, MOMENT)).toBeNull();
      expect(await invitations.use({ tokenHash, passwordHash: "hash", first: null, now: MOMENT })).toBeNull();
      expect(await makeAccountRepository(db).passwordHash(user.id)).toBeNull();
      await db.close();
    });

    test("counts as invited until a password is set or a change voids the invitation, even after it expired", async () => {
      const clock = fakeClock();
      const db = await engine.open();
      const users = makeUserRepository(db, () => {});
      const invitations = makeInvitationRepository(db, () => {});
      const fields = { ...SAM, email: "robin@example.com", role: "user", dealerId: null, permissions: 0 } as const;
      const user = made(await users.insert({ ...fields, active: true, endedBy: null }, clock.now(), OPERATOR));
      const invitedIn = async () => [
        made(await users.find(user.id, "everything")).invited,
        (await users.list({ visibility: "everything", filter: {}, page: { limit: 100, offset: 0 } })).items.find(
          ({ id }) => id === user.id,
        )?.invited,
      ];
      expect([user.invited, await invitedIn()]).toEqual([false, [false, false]]);
      const tokenHash = "of robin's link";
      await invitations.invite({
        ...signInChangeOf(user, { now: clock.now() }),
        tokenHash,
        expiresAt: clock.after(DAY),
      });
      expect(await invitedIn()).toEqual([true, true]);
      clock.advance(2 * DAY * 1000);
      expect(await invitedIn()).toEqual([true, true]);
      const again = { ...signInChangeOf(user, { now: clock.now() }), tokenHash, expiresAt: clock.after(DAY) };
      await invitations.invite(again);
      const voided = { ...fields, name: "Robin", role: "super_admin" as const, active: true, endedBy: null };
      const changed = made(await changeStoredUser(users, user, { fields: voided, now: clock.now() }));
      expect([changed.invited, await invitedIn()]).toEqual([false, [false, false]]);
      await invitations.invite(again);
      expect(await invitedIn()).toEqual([true, true]);
      await invitations.use({ tokenHash, passwordHash: "hash", first: null, now: clock.now() });
      expect(await invitedIn()).toEqual([false, false]);
      await db.close();
    });
  });
