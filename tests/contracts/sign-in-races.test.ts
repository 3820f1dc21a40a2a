import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pino from "pino";
import { tokens } from "../../adapters/sign-in/tokens.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeInvitationRepository } from "../../adapters/sql/sign-in/invitations.ts";
import { makeSessionRepository } from "../../adapters/sql/sign-in/sessions.ts";
import { unlockSecrets } from "../../app/sealing.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { Failure } from "../../core/failure.ts";
import type { Client } from "../../core/sign-in/authenticator.ts";
import { causeOf, newUserBody, succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { accountsOn, coreOn } from "../support/core.ts";
import { ENGINES } from "../support/engines.ts";
import { totpOf } from "../support/totp.ts";
import { signInChangeOf } from "../support/user-changes.ts";

const SECRET_KEYS = { present: crypto.getRandomValues(new Uint8Array(32)), previous: null };
const PASSWORD = "correct horse battery staple";
const CLIENT: Client = {
  cookies: null,
  address: "192.0.2.7",
  limitedAs: "192.0.2.7",
  userAgent: null,
  requestId: "sign-in",
  waitSeconds: null,
};

/** The database, with a hook that runs right after a read of a certain table. */
const raceFixture = (db: SqlDatabase) => {
  let event: (() => Promise<unknown>) | null = null;
  let after = "";
  const happensAfter = async (text: string): Promise<void> => {
    if (event === null || !text.includes(`from "${after}"`)) return;
    const happening = event;
    event = null;
    await happening();
  };
  const seen: SqlDatabase = {
    ...db,
    async all(statement, values) {
      const rows = await db.all(statement, values);
      await happensAfter(statement.text);
      return rows;
    },
    async first(statement, values) {
      const row = await db.first(statement, values);
      await happensAfter(statement.text);
      return row;
    },
  };
  return {
    seen,
    meanwhile: (work: () => Promise<unknown>, table = "sign_in_accounts"): void => {
      event = work;
      after = table;
    },
    hasHappened: () => event === null,
  };
};

for (const engine of ENGINES)
  describe(`while a password or code is being compared, on ${engine.name}`, () => {
    const clock = fakeClock();
    let db: SqlDatabase;
    let people = 0;
    beforeAll(async () => {
      db = await engine.open();
    });
    afterAll(() => db.close());

    const fixture = async () => {
      let isAbandoned = false;
      const core = coreOn(db, clock);
      const { users } = core;
      const { seen, meanwhile, hasHappened } = raceFixture(db);
      const { signIn, own } = accountsOn(core, {
        db: seen,
        backgroundDb: seen,
        clock,
        isAbandoned: () => isAbandoned,
        unlocked: () =>
          unlockSecrets(db, { databaseUrl: "sqlite::memory:", keys: SECRET_KEYS, events: pino({ level: "silent" }) }),
      });
      const email = `person${++people}@example.com`;
      const user = succeeded(await users.create(OPERATOR, newUserBody(email)));
      const invitations = makeInvitationRepository(db, () => {});
      const setPassword = async (password: string) => {
        const { hash } = tokens.issue();
        await invitations.invite({
          ...signInChangeOf(user, { now: clock.now() }),
          tokenHash: hash,
          expiresAt: clock.after(60),
        });
        const hashed = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
        expect(
          await invitations.use({ tokenHash: hash, passwordHash: hashed, first: null, now: clock.now() }),
        ).toMatchObject({ id: user.id });
      };
      await setPassword(PASSWORD);
      return {
        meanwhile,
        hasHappened,
        /** Every client has gone away, or got another answer. */
        nobodyWaits: () => {
          isAbandoned = true;
        },
        enter: () => signIn.signIn({ email, password: PASSWORD }, CLIENT),
        sessions: () => makeSessionRepository(db).list(user.id, clock.now()),
        endSessions: () =>
          makeSessionRepository(db).end({ userId: user.id, which: "all", now: clock.now(), by: OPERATOR }),
        deactivate: () => users.deactivate(OPERATOR, user.id),
        rename: () => users.update(OPERATOR, user.id, { name: "Another" }),
        setPassword,
        invite: () =>
          accountsOn(coreOn(seen, clock), { db: seen, clock }).accounts.invite(OPERATOR, user.id, (token) => token),
        /** Signs in and starts a second factor; the returned function confirms it. */
        async offered() {
          const entry = succeeded(await signIn.signIn({ email, password: PASSWORD }, CLIENT));
          const client = { ...CLIENT, cookies: entry.cookies.map((cookie) => cookie.split(";")[0]).join("; ") };
          const signedIn = await own.signedIn(entry.sessionToken ?? "");
          if (signedIn === null) throw new Error("there is no session");
          const { secret } = succeeded(await own.offerSecondFactor(signedIn, { password: PASSWORD }, OPERATOR));
          return () =>
            own.confirmSecondFactor(signedIn, {
              input: { code: totpOf(clock, secret) },
              client,
              by: OPERATOR,
            });
        },
        signInAgain: (password: string) => signIn.signIn({ email, password }, CLIENT),
      };
    };
    type Fixture = Awaited<ReturnType<typeof fixture>>;

    const CHANGES: Readonly<Record<string, (fixture: Fixture) => Promise<unknown>>> = {
      "is deactivated": async ({ deactivate }) => deactivate(),
      "sets another password": ({ setPassword }) => setPassword("an altogether different one"),
    };
    for (const [name, change] of Object.entries(CHANGES))
      test(`a user who ${name} gets no session by the old password`, async () => {
        const one = await fixture();
        one.meanwhile(() => change(one));
        const entry = await one.enter();
        expect(one.hasHappened()).toBe(true);
        expect(entry).toBeInstanceOf(Failure);
        expect(causeOf(entry)).toEqual({ kind: "sign-in-failed" });
        expect(await one.sessions()).toEqual([]);
      });

    for (const [name, change] of Object.entries(CHANGES))
      test(`a user who ${name} gets neither a session nor a second factor by confirming one in an old session`, async () => {
        const one = await fixture();
        const confirm = await one.offered();
        one.meanwhile(() => change(one), "second_factors");
        const confirmed = await confirm();
        expect(one.hasHappened()).toBe(true);
        expect(causeOf(confirmed)).toEqual({ kind: "sign-in-failed" });
        expect(await one.sessions()).toEqual([]);
        if (name === "sets another password")
          expect(await one.signInAgain("an altogether different one")).toMatchObject({ needsSecondFactor: false });
      });

    test("a user who is deactivated while a link is made for them gets none", async () => {
      const one = await fixture();
      one.meanwhile(async () => one.deactivate(), "users");
      const issues = [{ path: "", message: "the user is not active" }];
      expect(causeOf(await one.invite())).toMatchObject({ kind: "invalid", issues });
      expect(one.hasHappened()).toBe(true);
    });

    test("a user who is deactivated while they use their link gets no session", async () => {
      const core = coreOn(db, clock);
      const { id } = succeeded(await core.users.create(OPERATOR, newUserBody(`person${++people}@example.com`)));
      const { accounts, invitations } = accountsOn(core, {
        db,
        clock,
        events: {
          ...core.events,
          record: async (happening) => {
            if (happening.event === "user.invitation-used") await core.users.deactivate(OPERATOR, id);
          },
        },
      });
      const { url: token } = succeeded(await accounts.invite(OPERATOR, id, (issued) => issued));
      const entry = await invitations.accept(token, { password: PASSWORD }, CLIENT);
      expect(causeOf(entry)).toEqual({ kind: "invitation-void" });
    });

    test("ending a user's sessions ends all of them, even one that is confirming a second factor", async () => {
      const one = await fixture();
      const confirm = await one.offered();
      one.meanwhile(one.endSessions, "second_factors");
      expect(causeOf(await confirm())).toEqual({ kind: "sign-in-failed" });
      expect(one.hasHappened()).toBe(true);
      expect(await one.sessions()).toEqual([]);
      expect(await one.signInAgain(PASSWORD)).toMatchObject({ needsSecondFactor: false });
    });

    test("no session remains whose token nobody received, and no second factor without recovery codes", async () => {
      const one = await fixture();
      const confirm = await one.offered();
      expect(await one.sessions()).toHaveLength(1);
      one.nobodyWaits();
      await one.enter();
      expect(await one.sessions()).toHaveLength(1);
      await confirm();
      expect(await one.sessions()).toEqual([]);
      expect(await one.signInAgain(PASSWORD)).toMatchObject({ needsSecondFactor: false });
    });

    test("any other change of the user keeps the confirmed second factor and its session", async () => {
      const one = await fixture();
      const confirm = await one.offered();
      one.meanwhile(one.rename, "second_factors");
      expect(succeeded(await confirm()).codes.length).toBeGreaterThan(0);
      expect(await one.sessions()).toHaveLength(1);
      expect(await one.signInAgain(PASSWORD)).toMatchObject({ needsSecondFactor: true });
    });

    test("a session that is ended twice at once is recorded once", async () => {
      const happened: string[] = [];
      const { own } = accountsOn(coreOn(db, clock), {
        db,
        clock,
        events: { record: async ({ event }) => void happened.push(event), recordInBackground: () => {} },
      });
      const { sessionToken } = succeeded(await (await fixture()).enter());
      const signedIn = await own.signedIn(sessionToken ?? "");
      if (signedIn === null) throw new Error("there is no session");
      for (let time = 0; time < 2; time++) await own.signOut(signedIn, CLIENT, OPERATOR);
      expect(happened).toEqual(["session.ended"]);
    });

    test("any other change of the user lets the sign-in succeed", async () => {
      const one = await fixture();
      one.meanwhile(one.rename);
      expect(await one.enter()).toMatchObject({ needsSecondFactor: false });
      // Its browser does not say what it is.
      expect(await one.sessions()).toMatchObject([{ address: CLIENT.address, userAgent: "" }]);
    });
  });
