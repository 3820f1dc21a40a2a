import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pino from "pino";
import { tokens } from "../../adapters/sign-in/tokens.ts";
import type { SqlDatabase } from "../../adapters/sql/database.ts";
import { makeInvitationRepository } from "../../adapters/sql/invitations.ts";
import { makeSessionRepository } from "../../adapters/sql/sessions.ts";
import { composeCore } from "../../app/compose.ts";
import { unlockSecrets } from "../../app/sealing.ts";
import { composeAccounts } from "../../app/sign-in.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { Failure } from "../../core/failure.ts";
import type { Client } from "../../core/sign-in/authenticator.ts";
import { causeOf, newUserBody, succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";

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

/** The database, with something that happens right after the sign-in's library has read the password's hash. */
const eventful = (db: SqlDatabase) => {
  let event: (() => Promise<unknown>) | null = null;
  const seen: SqlDatabase = {
    ...db,
    all: async (statement, values) => {
      const rows = await db.all(statement, values);
      if (/from "sign_in_accounts"/.test(statement.text) && event !== null) {
        const happening = event;
        event = null;
        await happening();
      }
      return rows;
    },
  };
  return {
    seen,
    meanwhile: (work: () => Promise<unknown>): void => {
      event = work;
    },
    hasHappened: () => event === null,
  };
};

for (const engine of ENGINES)
  describe(`while a password is being compared, on ${engine.name}`, () => {
    const clock = fakeClock();
    let db: SqlDatabase;
    let people = 0;
    beforeAll(async () => {
      db = await engine.open();
    });
    afterAll(() => db.close());

    const scene = async () => {
      const { users, repositories } = composeCore(db, clock, null);
      const { seen, meanwhile, hasHappened } = eventful(db);
      const { signIn } = composeAccounts({
        db: seen,
        clock,
        repositories,
        changed: () => {},
        publicUrl: null,
        mailer: null,
        unlocked: () => unlockSecrets(db, "sqlite::memory:", SECRET_KEYS, pino({ level: "silent" })),
      });
      const email = `person${++people}@example.com`;
      const user = succeeded(await users.create(OPERATOR, newUserBody(email)));
      const invitations = makeInvitationRepository(db, () => {});
      const setPassword = async (password: string) => {
        const { hash } = tokens.issue();
        await invitations.invite(
          succeeded(await users.get(OPERATOR, user.id)),
          hash,
          clock.now(),
          clock.after(60),
          OPERATOR,
        );
        const hashed = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
        expect(await invitations.use(hash, hashed, null, clock.now())).toMatchObject({ id: user.id });
      };
      await setPassword(PASSWORD);
      return {
        meanwhile,
        hasHappened,
        enter: () => signIn.signIn({ email, password: PASSWORD }, CLIENT),
        sessions: () => makeSessionRepository(db).list(user.id, clock.now()),
        deactivate: () => users.deactivate(OPERATOR, user.id),
        rename: () => users.update(OPERATOR, user.id, { name: "Another" }),
        setPassword,
      };
    };
    type Scene = Awaited<ReturnType<typeof scene>>;

    const CHANGES: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
      "is deactivated": ({ deactivate }) => deactivate(),
      "sets another password": ({ setPassword }) => setPassword("an altogether different one"),
    };
    for (const [name, change] of Object.entries(CHANGES))
      test(`a user who ${name} gets no session by the old one`, async () => {
        const one = await scene();
        one.meanwhile(() => change(one));
        const entry = await one.enter();
        expect(one.hasHappened()).toBe(true);
        expect(entry).toBeInstanceOf(Failure);
        expect(causeOf(entry)).toEqual({ kind: "sign-in-failed" });
        expect(await one.sessions()).toEqual([]);
      });

    test("any other change of the user keeps nobody out", async () => {
      const one = await scene();
      one.meanwhile(one.rename);
      expect(await one.enter()).toMatchObject({ owesSecondFactor: false });
      expect(await one.sessions()).toHaveLength(1);
    });
  });
