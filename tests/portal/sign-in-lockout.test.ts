import { beforeAll, describe, expect, test } from "bun:test";
import { type Browser, browserOn, firstAdmin, letIn, makePerson, PASSWORD, signIn } from "../support/browser.ts";
import { freshAddress } from "../support/client.ts";
import { ENGINES } from "../support/engines.ts";
import { sceneOn } from "../support/scene.ts";
import { startService, TIME_CAN_PASS } from "../support/service.ts";
import { totpOf } from "../support/totp.ts";

const WRONG = "wrong horse battery staple";

for (const engine of ENGINES)
  describe(`lockout on ${engine.name}`, () => {
    const scene = sceneOn(engine);
    let admin: Browser;
    beforeAll(async () => {
      admin = await firstAdmin(scene.service);
    });
    const browser = () => browserOn(scene.service.url);
    const person = async () => {
      const made = await makePerson(admin);
      return { ...made, own: await letIn(scene.service.url, admin, made.id) };
    };
    /** Statuses of attempts one after the other, each from an address of its own. */
    const attempts = async (email: string, ...passwords: readonly string[]): Promise<number[]> => {
      const statuses: number[] = [];
      for (const password of passwords) statuses.push((await signIn(browser(), email, password)).status);
      return statuses;
    };
    const wrong = (count: number): string[] => Array.from({ length: count }, () => WRONG);

    test("comes with the fifth failure in a row, refuses the right password too, and says how long", async () => {
      const { email } = await person();
      expect(await attempts(email, ...wrong(5))).toEqual([401, 401, 401, 401, 401]);
      const reply = await signIn(browser(), email);
      expect([reply.status, reply.body.code]).toEqual([429, "locked_out"]);
      expect(Number(reply.headers.get("retry-after"))).toBeWithin(14 * 60, 15 * 60 + 1);
      expect(reply.headers.getSetCookie()).toEqual([]);
    });

    test("is the same for an address that nobody has, whatever its case", async () => {
      expect(await attempts("nobody@example.com", ...wrong(5))).toEqual([401, 401, 401, 401, 401]);
      const reply = await signIn(browser(), "NOBODY@example.com");
      expect([reply.status, reply.body.code]).toEqual([429, "locked_out"]);
      expect(Number(reply.headers.get("retry-after"))).toBeWithin(14 * 60, 15 * 60 + 1);
    });

    test("does not come when a success is in between", async () => {
      const { email } = await person();
      expect(await attempts(email, ...wrong(4), PASSWORD, ...wrong(4), PASSWORD)).toEqual([
        ...[401, 401, 401, 401, 200],
        ...[401, 401, 401, 401, 200],
      ]);
    });

    test("lets no more than five of many attempts at once be looked at", async () => {
      const { email } = await person();
      const replies = await Promise.all(wrong(20).map((password) => signIn(browser(), email, password)));
      expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
    });

    test("is shown to who may see the user, ends no session, and is lifted by a new invitation", async () => {
      const { id, email, own } = await person();
      await attempts(email, ...wrong(5));
      const state = await admin.send("GET", `/portal/api/users/${id}/account`);
      expect(state.body.locked_until).toStartWith("20");
      expect((await own.send("GET", "/portal/api/session")).status).toBe(200);
      await letIn(scene.service.url, admin, id);
      expect((await admin.send("GET", `/portal/api/users/${id}/account`)).body.locked_until).toBeNull();
      expect(await attempts(email, PASSWORD)).toEqual([200]);
    });

    test("is known to every instance, and recorded once", async () => {
      const { id, email } = await person();
      const other = await startService(engine, { DATABASE_URL: scene.service.databaseUrl });
      try {
        expect(await attempts(email, ...wrong(3))).toEqual([401, 401, 401]);
        for (const status of [401, 401, 429])
          expect((await signIn(browserOn(other.url), email, WRONG)).status).toBe(status);
        expect(await attempts(email, PASSWORD)).toEqual([429]);
      } finally {
        await other.close();
      }
      const log = await admin.send<{ actor: { type: string } }[]>(
        "GET",
        `/portal/api/audit?action=user.locked-out&id=${id}`,
      );
      expect(log.body).toHaveLength(1);
    });

    test("counts wrong passwords of who is signed in, too", async () => {
      const { email, own } = await person();
      for (let count = 0; count < 5; count++) {
        const reply = await own.send<{ details: { path: string }[] }>("PUT", "/portal/api/password", {
          current_password: WRONG,
          new_password: "another horse battery staple",
        });
        expect([reply.status, reply.body.details.map(({ path }) => path)]).toEqual([400, ["current_password"]]);
      }
      const body = { current_password: PASSWORD, new_password: "another horse battery staple" };
      expect((await own.send("PUT", "/portal/api/password", body)).status).toBe(429);
      expect(await attempts(email, PASSWORD)).toEqual([429]);
    });

    test("counts wrong codes of the second factor, and a right password in between does not start anew", async () => {
      const { email, own } = await person();
      const offer = await own.send<{ secret: string }>("POST", "/portal/api/second-factor", { password: PASSWORD });
      const { secret } = offer.body;
      await own.send("POST", "/portal/api/second-factor/confirm", { code: totpOf(secret) });
      for (let count = 0; count < 5; count++) {
        const one = browser();
        expect((await signIn(one, email)).body).toEqual({ second_factor: true });
        expect((await one.send("POST", "/portal/api/sign-in/second-factor", { code: "000000" })).status).toBe(401);
      }
      expect(await attempts(email, PASSWORD)).toEqual([429]);
    });

    test("of an address of clients comes after 30 failures a minute, whoever they were for; others get in", async () => {
      const { email } = await person();
      const address = freshAddress();
      const statuses: number[] = [];
      for (let count = 0; count < 32; count++)
        statuses.push((await signIn(browserOn(scene.service.url, address), `guess${count}@example.com`)).status);
      expect(statuses).toEqual([...Array(30).fill(401), 429, 429]);
      const held = await signIn(browserOn(scene.service.url, address), email);
      expect([held.status, held.body.code]).toEqual([429, "locked_out"]);
      expect(Number(held.headers.get("retry-after"))).toBeWithin(1, 121);
      expect(await attempts(email, PASSWORD)).toEqual([200]);
    });

    test.if(TIME_CAN_PASS)("ends after fifteen minutes, and a new row of failures begins", async () => {
      const { email } = await person();
      await attempts(email, ...wrong(5));
      await scene.service.pass(14 * 60 + 30);
      expect(await attempts(email, PASSWORD)).toEqual([429]);
      await scene.service.pass(31);
      expect(await attempts(email, ...wrong(4), PASSWORD)).toEqual([401, 401, 401, 401, 200]);
    });
  });
