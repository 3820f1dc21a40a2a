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
import { ANSWERING } from "../support/engines.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { dumpOf } from "../support/table-dump.ts";
import { totpOf } from "../support/totp.ts";

const WRONG = "wrong horse battery staple";
const NEXT = "another horse battery staple";

for (const engine of ANSWERING)
  describe(`secrets on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, {}, { realPasswordCost: true });
    /** The secrets that users chose or got, by kind. */
    const secrets = new Map<string, string>();
    const answers: string[] = [];
    let admin: Browser;

    /** A browser that records its answers without cookies. */
    const listening = (browser: Browser): Browser => ({
      ...browser,
      async send(method, path, sent) {
        const reply = await browser.send(method, path, sent);
        if (!path.endsWith("/confirm") && !(method === "POST" && /invitation$|second-factor$/.test(path)))
          answers.push(reply.text);
        return reply as never;
      },
    });

    beforeAll(async () => {
      secrets.set("set-up token", fixture.service.setUpLink?.split("/").at(-1) ?? "");
      admin = listening(await firstAdmin(fixture.service));
      const { id, email } = await makePerson(admin);
      const unused = await admin.send<{ url: string }>("POST", `/portal/api/users/${id}/invitation`);
      secrets.set("replaced token", unused.body.url.split("/").at(-1) ?? "");
      const own = listening(await inviteAndSignIn(fixture.service.url, admin, id));
      const open = await makePerson(admin);
      const invited = await admin.send<{ url: string }>("POST", `/portal/api/users/${open.id}/invitation`);
      secrets.set("token", invited.body.url.split("/").at(-1) ?? "");
      await own.send("GET", `/portal/api/invitations/${secrets.get("token")}`);

      const factor = await own.send<{ secret: string }>("POST", "/portal/api/second-factor", {
        body: { password: PASSWORD },
      });
      secrets.set("second factor", factor.body.secret);
      const codes = await own.send<{ recovery_codes: string[] }>("POST", "/portal/api/second-factor/confirm", {
        body: {
          code: totpOf(fixture.service.clock, factor.body.secret),
        },
      });
      for (const [index, code] of codes.body.recovery_codes.entries()) secrets.set(`recovery code ${index}`, code);

      const challenged = listening(browserOn(fixture.service.url));
      await signIn(challenged, email, WRONG);
      await signIn(challenged, email);
      secrets.set("challenge", challenged.cookies.get("vehicle_inventory_challenge")?.split(".")[0] ?? "");
      await challenged.send("POST", "/portal/api/sign-in/second-factor", {
        body: {
          recovery_code: codes.body.recovery_codes[0],
        },
      });
      await own.send("PUT", "/portal/api/password", { body: { current_password: PASSWORD, new_password: NEXT } });
      for (const [index, browser] of [admin, own, challenged].entries())
        secrets.set(`session ${index}`, browser.cookies.get("vehicle_inventory")?.split(".")[0] ?? "");
      for (const path of ["session", "sessions", `users/${id}`, `users/${id}/account`, `users/${id}/sessions`, "audit"])
        await admin.send("GET", `/portal/api/${path}`);
      for (const [name, password] of Object.entries({ PASSWORD, WRONG, NEXT })) secrets.set(name, password);
      expect([...secrets].filter(([, secret]) => secret.length < 10)).toEqual([]);
    });

    test("are in no table: no password, token, code or secret in plain text", async () => {
      const dump = await dumpOf(fixture.service.databaseUrl);
      const costs = dump.match(/\$argon2[^$]*\$[^$]*\$[^$]*\$/g) ?? [];
      expect(costs.length).toBeGreaterThan(10);
      expect(new Set(costs)).toEqual(new Set(["$argon2id$v=19$m=19456,t=2,p=1$"]));
      for (const [name, secret] of secrets) expect([name, dump.includes(secret)]).toEqual([name, false]);
      for (const [name, secret] of secrets)
        if (name.startsWith("recovery")) expect([name, dump.includes(secret.replace("-", ""))]).toEqual([name, false]);
    });

    test("are in no line of the log, which names requests by their pattern", () => {
      const log = fixture.service.log();
      expect(log).toContain('"route":"/portal/api/invitations/:token"');
      for (const [name, secret] of secrets) expect([name, log.includes(secret)]).toEqual([name, false]);
      expect(log).not.toContain("$argon2id$");
    });

    test("are in no answer except the one that hands them out; hashes are in none", () => {
      const text = answers.join("\n");
      for (const [name, secret] of secrets) {
        expect([name, text.includes(secret)]).toEqual([name, false]);
        expect([name, text.includes(Bun.SHA256.hash(secret, "hex"))]).toEqual([name, false]);
      }
      expect(text).not.toContain("argon2");
      expect(text).not.toContain("hash");
    });
  });
