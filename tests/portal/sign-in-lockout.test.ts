import { beforeAll, describe, expect, test } from "bun:test";
import {
  type Browser,
  browserOn,
  firstAdmin,
  inviteAndSignIn,
  makePerson,
  PASSWORD,
  signIn,
} from "../support/browser.ts";
import { freshAddress } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { startService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { totpOf } from "../support/totp.ts";

const WRONG = "wrong horse battery staple";
const NEXT = "another horse battery staple";
const SECOND_FACTOR_PATH = "/portal/api/second-factor";
const SESSION_COOKIE = "vehicle_inventory";

const wrong = (count: number): string[] => Array.from({ length: count }, () => WRONG);
const refused = (count: number): number[] => Array(count).fill(401);

for (const engine of ANSWERING)
  describe(`lockout on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
    });
    const browser = (address = freshAddress()) => browserOn(fixture.service.url, address);
    const person = async () => {
      const made = await makePerson(admin);
      return { ...made, own: await inviteAndSignIn(fixture.service.url, admin, made.id) };
    };
    /** The statuses of consecutive attempts from one address. */
    const attemptsFrom = async (address: string, email: string, ...passwords: readonly string[]): Promise<number[]> => {
      const statuses: number[] = [];
      for (const password of passwords) statuses.push((await signIn(browser(address), email, password)).status);
      return statuses;
    };
    /** The statuses of simultaneous attempts, each from its own address. */
    const attemptsAllOver = async (email: string, ...passwords: readonly string[]): Promise<number[]> =>
      (await Promise.all(passwords.map((password) => signIn(browser(), email, password)))).map(({ status }) => status);
    const pauseOf = async (address: string, email: string, password = WRONG): Promise<number> => {
      const reply = await signIn(browser(address), email, password);
      expect([reply.status, reply.body.code]).toEqual([429, "locked_out"]);
      expect(reply.headers.getSetCookie()).toEqual([]);
      return Number(reply.headers.get("retry-after"));
    };
    const lockouts = async (id: number) =>
      (await admin.send<unknown[]>("GET", `/portal/api/audit?action=user.locked-out&id=${id}`)).body;

    test("pauses an address after its fifth failure, refuses the right password too, and says how long", async () => {
      const { email } = await person();
      const address = freshAddress();
      expect(await attemptsFrom(address, email, ...wrong(5))).toEqual(refused(5));
      expect(await pauseOf(address, email, PASSWORD)).toBeWithin(20, 31);
    });

    test("of one address affects no other address", async () => {
      const { email } = await person();
      const address = freshAddress();
      await attemptsFrom(address, email, ...wrong(7));
      expect(await attemptsFrom(freshAddress(), email, PASSWORD)).toEqual([200]);
      await pauseOf(address, email, PASSWORD);
    });

    test("is the same for an unknown email address, whatever its case", async () => {
      const address = freshAddress();
      expect(await attemptsFrom(address, "nobody@example.com", ...wrong(5))).toEqual(refused(5));
      expect(await pauseOf(address, "NOBODY@example.com", PASSWORD)).toBeWithin(20, 31);
      const crowd = await attemptsAllOver("nobody.else@example.com", ...wrong(25));
      expect(crowd.sort()).toEqual([...refused(20), ...Array(5).fill(429)]);
    });

    test("treats the networks of one IPv6 customer as one address", async () => {
      const { email } = await person();
      const statuses: number[] = [];
      for (const end of ["1", "2", "3", "4", "5", "6"])
        statuses.push(...(await attemptsFrom(`2001:db8:7:${engine.name.length}::${end}`, email, WRONG)));
      expect(statuses).toEqual([...refused(5), 429]);
    });

    test("does not happen if a success comes between the failures", async () => {
      const { email } = await person();
      const address = freshAddress();
      expect(await attemptsFrom(address, email, ...wrong(4), PASSWORD, ...wrong(4), PASSWORD)).toEqual([
        ...[...refused(4), 200],
        ...[...refused(4), 200],
      ]);
    });

    test("checks at most five of many concurrent attempts", async () => {
      const { email } = await person();
      const address = freshAddress();
      const replies = await Promise.all(wrong(20).map((password) => signIn(browser(address), email, password)));
      expect(replies.map(({ status }) => status).sort()).toEqual([...refused(5), ...Array(15).fill(429)]);
    });

    test("limits the guesses at one account from all addresses together, and slows only new addresses", async () => {
      const { id, email, own } = await person();
      const known = freshAddress();
      expect(await attemptsFrom(known, email, PASSWORD)).toEqual([200]);
      expect((await attemptsAllOver(email, ...wrong(30))).sort()).toEqual([...refused(20), ...Array(10).fill(429)]);
      expect(await attemptsAllOver(email, PASSWORD)).toEqual([429]);
      const state = await admin.send("GET", `/portal/api/users/${id}/account`);
      expect(state.body.locked_until).toStartWith("20");
      expect((await own.send("GET", "/portal/api/session")).status).toBe(200);
      // An address where the user signed in before is not new.
      expect(await attemptsFrom(known, email, WRONG, PASSWORD)).toEqual([401, 200]);
    });

    test("is lifted by a new invitation", async () => {
      const { id, email } = await person();
      const address = freshAddress();
      await attemptsFrom(address, email, ...wrong(5));
      await attemptsAllOver(email, ...wrong(20));
      await inviteAndSignIn(fixture.service.url, admin, id);
      expect((await admin.send("GET", `/portal/api/users/${id}/account`)).body.locked_until).toBeNull();
      expect(await attemptsAllOver(email, PASSWORD)).toEqual([200]);
      expect(await attemptsFrom(address, email, PASSWORD)).toEqual([200]);
    });

    test("does not affect the owner's browser at any address: it has its own attempts", async () => {
      const { email, own } = await person();
      await attemptsAllOver(email, ...wrong(25));
      const elsewhere = freshAddress();
      await attemptsFrom(elsewhere, email, ...wrong(5));
      const mine = browser(elsewhere);
      for (const [name, value] of own.cookies) if (name !== SESSION_COOKIE) mine.cookies.set(name, value);
      expect((await signIn(mine, email)).status).toBe(200);
      for (const status of refused(5)) expect((await signIn(mine, email, WRONG)).status).toBe(status);
      expect((await signIn(mine, email)).status).toBe(429);
    });

    test("cannot be avoided with another user's browser or an invented cookie", async () => {
      const victim = await person();
      const other = await person();
      const address = freshAddress();
      await attemptsFrom(address, victim.email, ...wrong(5));
      const name = [...other.own.cookies.keys()].find((cookie) => cookie !== SESSION_COOKIE) ?? "none";
      const theirs = victim.own.cookies.get(name) ?? "";
      expect(theirs).toMatch(/^\d+\.\d+\.[\w-]{22}\.[\w-]{43}$/);
      const [, ...rest] = (other.own.cookies.get(name) ?? "").split(".");
      for (const value of [
        other.own.cookies.get(name) ?? "",
        [victim.id, ...rest].join("."),
        `${theirs.slice(0, -2)}AA`,
        theirs.slice(0, -44),
        `${theirs}; ${name}=${theirs}`,
        "%",
        "x".repeat(4000),
      ]) {
        const one = browser(address);
        one.cookies.set(name, value);
        expect((await signIn(one, victim.email)).status).toBe(429);
      }
    });

    test("recognizes a browser by a cookie that scripts cannot read, other sites cannot send, and that grants no access", async () => {
      const { email } = await person();
      const one = browser();
      const reply = await signIn(one, email);
      const cookies = reply.headers.getSetCookie();
      expect(cookies[1]).toMatch(
        /^vehicle_inventory_device=[^;]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/,
      );
      await one.send("POST", "/portal/api/sign-out");
      expect([...one.cookies.keys()]).toEqual(["vehicle_inventory_device"]);
      expect((await one.send("GET", "/portal/api/session")).status).toBe(401);
    });

    test("is known to every instance, and recorded once", async () => {
      const { id, email } = await person();
      const address = freshAddress();
      const other = await startService(engine, { DATABASE_URL: fixture.service.databaseUrl });
      try {
        expect(await attemptsFrom(address, email, ...wrong(3))).toEqual(refused(3));
        for (const status of [401, 401, 429])
          expect((await signIn(browserOn(other.url, address), email, WRONG)).status).toBe(status);
        expect(await attemptsFrom(address, email, PASSWORD)).toEqual([429]);
      } finally {
        await other.close();
      }
      expect(await lockouts(id)).toHaveLength(1);
    });

    test("by a stranger does not slow an open session, not even requests for the password", async () => {
      const { email, own } = await person();
      await attemptsAllOver(email, ...wrong(25));
      const body = { current_password: PASSWORD, new_password: NEXT };
      expect((await own.send("PUT", "/portal/api/password", { body })).status).toBe(200);
      expect((await own.send("POST", SECOND_FACTOR_PATH, { body: { password: NEXT } })).status).toBe(200);
    });

    test("counts wrong passwords of a signed-in user only for that session, and is recorded once", async () => {
      const { id, email, own } = await person();
      const other = browser();
      await signIn(other, email);
      for (let count = 0; count < 5; count++) {
        const reply = await own.send<{ details: { path: string }[] }>("PUT", "/portal/api/password", {
          body: {
            current_password: WRONG,
            new_password: NEXT,
          },
        });
        expect([reply.status, reply.body.details.map(({ path }) => path)]).toEqual([400, ["current_password"]]);
      }
      const body = { current_password: PASSWORD, new_password: NEXT };
      const held = await own.send("PUT", "/portal/api/password", { body });
      expect([held.status, held.body.code]).toEqual([429, "locked_out"]);
      expect(await lockouts(id)).toHaveLength(1);
      expect(await attemptsAllOver(email, PASSWORD)).toEqual([200]);
      expect((await other.send("PUT", "/portal/api/password", { body })).status).toBe(200);
    });

    test("counts wrong codes of the second factor, and a right password between them does not reset the count", async () => {
      const { email, own } = await person();
      const offer = await own.send<{ secret: string }>("POST", SECOND_FACTOR_PATH, { body: { password: PASSWORD } });
      const { secret } = offer.body;
      await own.send("POST", `${SECOND_FACTOR_PATH}/confirm`, {
        body: { code: totpOf(fixture.service.clock, secret) },
      });
      const address = freshAddress();
      const begun = browser(address);
      await signIn(begun, email);
      for (let count = 0; count < 5; count++) {
        const one = browser(address);
        expect((await signIn(one, email)).body).toEqual({ second_factor: true });
        expect((await one.send("POST", "/portal/api/sign-in/second-factor", { body: { code: "000000" } })).status).toBe(
          401,
        );
      }
      expect(await attemptsFrom(address, email, PASSWORD)).toEqual([429]);
      // Nor does a sign-in go on that had begun before.
      const body = { code: totpOf(fixture.service.clock, secret) };
      expect((await begun.send("POST", "/portal/api/sign-in/second-factor", { body })).status).toBe(429);
    });

    test("counts wrong codes while the second factor is being set up", async () => {
      const { own } = await person();
      const { secret } = (
        await own.send<{ secret: string }>("POST", SECOND_FACTOR_PATH, { body: { password: PASSWORD } })
      ).body;
      const statuses: number[] = [];
      for (let count = 0; count < 6; count++)
        statuses.push((await own.send("POST", `${SECOND_FACTOR_PATH}/confirm`, { body: { code: "000000" } })).status);
      expect(statuses).toEqual([...Array(5).fill(400), 429]);
      expect(
        (
          await own.send("POST", `${SECOND_FACTOR_PATH}/confirm`, {
            body: { code: totpOf(fixture.service.clock, secret) },
          })
        ).status,
      ).toBe(429);
    });

    testMovingClock(
      "of a client address happens after 30 failures a minute, for any users; other addresses get in",
      async () => {
        const { email, own } = await person();
        const address = freshAddress();
        const statuses: number[] = [];
        for (let count = 0; count < 32; count++)
          statuses.push((await signIn(browser(address), `guess${count}@example.com`)).status);
        expect(statuses).toEqual([...refused(30), 429, 429]);
        const held = await signIn(browser(address), email);
        expect([held.status, held.body.code]).toEqual([429, "locked_out"]);
        expect(Number(held.headers.get("retry-after"))).toBeWithin(1, 121);
        expect(await attemptsAllOver(email, PASSWORD)).toEqual([200]);
        // A browser that signed in before can sign in from that address, but only as its own user.
        const mine = browser(address);
        for (const [name, value] of own.cookies) if (name !== SESSION_COOKIE) mine.cookies.set(name, value);
        expect((await signIn(mine, "guess40@example.com")).status).toBe(429);
        expect((await signIn(mine, email)).status).toBe(200);
      },
    );

    test("is not caused by successful sign-ins from one address", async () => {
      const { email } = await person();
      const address = freshAddress();
      expect(await attemptsFrom(address, email, ...Array(40).fill(PASSWORD))).toEqual(Array(40).fill(200));
    });

    testMovingClock("pauses longer with every failure, up to half an hour", async () => {
      const { email } = await person();
      const address = freshAddress();
      await attemptsFrom(address, email, ...wrong(5));
      const pauses: number[] = [];
      for (let count = 0; count < 8; count++) {
        const pause = await pauseOf(address, email);
        pauses.push(Math.ceil(pause / 30) * 30);
        await fixture.service.pass(pause);
        expect(await attemptsFrom(address, email, WRONG)).toEqual([401]);
      }
      expect(pauses).toEqual([30, 60, 120, 240, 480, 900, 1800, 1800]);
      await fixture.service.pass(await pauseOf(address, email));
      expect(await attemptsFrom(address, email, PASSWORD)).toEqual([200]);
    });

    testMovingClock(
      "lets new addresses make a hundred guesses a day at one account, however many they are",
      async () => {
        const { email } = await person();
        await attemptsAllOver(email, ...wrong(25));
        let guesses = 0;
        for (let quarters = 0; quarters < 12; quarters++) {
          await fixture.service.pass(15 * 60);
          guesses += (await attemptsAllOver(email, ...wrong(3))).filter((status) => status === 401).length;
        }
        expect(guesses).toBe(12);
      },
    );
  });
