import { beforeAll, describe, expect, test } from "bun:test";
import { scheduleBody } from "../http/targets.ts";
import { type Browser, browserOn, firstAdmin, inviteAndSignIn, makePerson, signIn } from "../support/browser.ts";
import { freshAddress } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { create, imageBody, NORTH, NORTH_CAR } from "../support/sample-records.ts";
import { startService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { dumpOf } from "../support/table-dump.ts";
import { addWaitingImport } from "../support/waiting-import.ts";
import { filled, type Mounted, mountedOn } from "./mounted.ts";

const ORIGINS = [
  ["no Origin", { origin: "" }],
  ["a foreign Origin", { origin: "https://attacker.example.com" }],
  ["the Origin null", { origin: "null" }],
  ["another port's Origin", { origin: "http://127.0.0.1:1" }],
  ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
  ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
  ["Sec-Fetch-Site: none", { "sec-fetch-site": "none" }],
] as const;

const FORMS = [
  ["application/x-www-form-urlencoded", "name=Eve&email=eve%40example.com&password=correct+horse+battery"],
  ["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nEve\r\n--x--\r\n'],
  ["text/plain", '{"name": "Eve", "email": "eve@example.com", "password": "correct horse battery"}'],
] as const;

/** Reads whose answer is not 200: the invitation does not exist, and the vehicle is not sold. */
const STATUS = [
  [":token", 404],
  ["/sale", 409],
  // It does not exist.
  ["/feeds/:id", 404],
  ["/webhooks/:id", 404],
] as const;

/** Bodies that would make changes if they were admitted. */
const BODY = { name: "Taken", email: "eve@example.com", year: 2001, password: "correct horse battery staple" };

for (const engine of ANSWERING)
  describe(`attacks on the portal on ${engine.name}:`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    let mounted: readonly Mounted[];
    let apiRoutes: readonly { method: string; path: string }[];
    let cookie = "";
    const cookies: Record<string, string> = {};

    const cookieOf = (browser: Browser): string =>
      [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");

    beforeAll(async () => {
      const { service, api } = fixture;
      admin = await firstAdmin(service);
      cookie = cookieOf(admin);
      ({ portal: mounted, api: apiRoutes } = await mountedOn(engine));
      await create(api, `/api/vehicles/${NORTH_CAR}/images`, imageBody());
      await create(api, "/api/import-sources", {
        name: "Nightly file",
        dealer_id: NORTH,
        url: "https://ip6-localhost/lot.csv",
        schedule: "0 0 * * *",
        active: false,
      });
      await create(api, "/api/scheduled-changes", scheduleBody(NORTH_CAR));
      await addWaitingImport(service.databaseUrl, NORTH);
      await create(api, "/api/import-mappings", { name: "Nightly", dealer_id: NORTH, columns: {} });

      const person = await makePerson(admin, { role: "super_admin" });
      const signedOut = await inviteAndSignIn(service.url, admin, person.id);
      cookies["a session that was signed out"] = cookieOf(signedOut);
      await signedOut.send("POST", "/portal/api/sign-out");
      const ended = browserOn(service.url);
      await signIn(ended, person.email);
      cookies["a session that an admin ended"] = cookieOf(ended);
      await admin.send("DELETE", `/portal/api/users/${person.id}/sessions`);
      const gone = browserOn(service.url);
      await signIn(gone, person.email);
      cookies["a session of a user who is gone"] = cookieOf(gone);
      await admin.send("DELETE", `/portal/api/users/${person.id}`);
      const other = await startService(engine);
      cookies["another service's session"] = cookieOf(await firstAdmin(other));
      await other.close();
      const [name = ""] = [...admin.cookies.keys()];
      const value = admin.cookies.get(name) ?? "";
      cookies["a session with another signature"] = `${name}=${value.slice(0, -2)}${value.endsWith("A") ? "BB" : "AA"}`;
      cookies["a session without its signature"] = `${name}=${value.split(".")[0]}`;
      cookies["a made-up session"] = `${name}=${"A".repeat(value.length)}`;
      cookies["an API key"] = `${name}=${service.superAdminKey}`;
      cookies["the session under another name"] = `session=${value}`;
    });

    const send = async (
      { method, path }: Pick<Mounted, "method" | "path">,
      headers: Record<string, string>,
      body?: string,
    ) => {
      const { origin } = new URL(fixture.service.url);
      const sent = new Headers({ origin, "x-forwarded-for": freshAddress(), ...headers });
      for (const [name, value] of Object.entries(headers)) if (value === "") sent.delete(name);
      const init = { method, headers: sent, ...(body !== undefined && method !== "GET" && { body }) };
      const response = await fetch(fixture.service.url + filled(path), init);
      const text = await response.text();
      const { code } = (text === "" ? {} : JSON.parse(text)) as { code?: string };
      return `${method} ${path} ${response.status} ${code ?? ""}`.trim();
    };

    /** The actual and expected answers of each. */
    const all = async (
      some: readonly Pick<Mounted, "method" | "path">[],
      headers: Record<string, string>,
      answer: string,
      body?: string,
    ): Promise<void> => {
      const answers = [];
      for (const one of some) answers.push(await send(one, headers, body));
      expect(answers).toEqual(some.map(({ method, path }) => `${method} ${path} ${answer}`));
    };

    const json = { "content-type": "application/json" };
    const guarded = () => mounted.filter(({ isOpen }) => !isOpen);
    const changing = () => mounted.filter(({ method }) => method !== "GET");

    /** Everything stored, except what reading and refusals change: usage, sessions' last use, attempts, denials. */
    const stored = async (): Promise<string> => {
      const tables = JSON.parse(await dumpOf(fixture.service.databaseUrl)) as [string, Record<string, unknown>[]][];
      return JSON.stringify(
        tables
          // Timers index the vehicles' search words and judge their listings later.
          .filter(([name]) => !/usage|attempt|last_use|vehicle_index|vehicle_words_fresh|_scores/.test(name))
          .map(([name, rows]) => [
            name,
            rows
              .filter(({ action }) => action !== "access.denied")
              .map((row) => Object.entries(row).filter(([field]) => !/^last_|updated_at|seen/.test(field)))
              .sort(),
          ]),
      );
    };

    /** Expects that everything stored is as before. */
    const changesNothing = async (work: () => Promise<void>): Promise<void> => {
      const before = await stored();
      await work();
      expect(await stored()).toBe(before);
      expect((await admin.send("GET", "/portal/api/session")).status).toBe(200);
    };

    test("this test's table lists everything mounted in the portal", () => {
      expect(mounted.length).toBeGreaterThan(55);
      expect(mounted.filter(({ isOpen }) => isOpen).map(({ path }) => path)).toEqual([
        "/portal/api/sign-in",
        "/portal/api/sign-in/second-factor",
        "/portal/api/invitations/:token",
        "/portal/api/invitations/:token",
      ]);
    });

    test("nothing answers without a cookie", () =>
      changesNothing(() => all(guarded(), json, "401 signed_out", JSON.stringify(BODY))));

    test("an API key does not work there", () =>
      changesNothing(async () => {
        const headers = { ...json, "x-api-key": fixture.service.superAdminKey };
        await all(guarded(), headers, "401 signed_out", JSON.stringify(BODY));
        await all(
          guarded(),
          { ...json, authorization: `Bearer ${fixture.service.superAdminKey}` },
          "401 signed_out",
          "{}",
        );
      }));

    test("the portal's cookie does not work on the API", () =>
      changesNothing(async () => {
        for (const route of apiRoutes) {
          const answer = await send(route, { ...json, cookie }, JSON.stringify(BODY));
          expect(answer).toBe(`${route.method} ${route.path} 401 api_key_missing`);
        }
      }));

    test("an ended, forged or foreign session is refused", () =>
      changesNothing(async () => {
        expect(Object.keys(cookies)).toHaveLength(9);
        for (const [what, forged] of Object.entries(cookies))
          for (const one of guarded())
            expect([what, await send(one, { ...json, cookie: forged }, JSON.stringify(BODY))]).toEqual([
              what,
              `${one.method} ${one.path} 401 signed_out`,
            ]);
      }));

    for (const [what, headers] of ORIGINS)
      test(`no change is accepted with ${what}`, () =>
        changesNothing(() =>
          all(changing(), { ...json, cookie, ...headers }, "403 cross_origin", JSON.stringify(BODY)),
        ));

    for (const [type, body] of FORMS)
      test(`no body of a type that a form can send is accepted: ${type}`, () =>
        changesNothing(async () => {
          // A photo comes in a form. Where it comes from is checked before, as that of every change.
          const takesForms = ({ method, path }: Mounted): boolean =>
            type.startsWith("multipart") && `${method} ${path}` === "POST /portal/api/vehicles/:id/images";
          const taking = changing().filter((one) => one.takesBody && !takesForms(one));
          await all(taking, { cookie, "content-type": type }, "415 unsupported_media_type", body);
        }));

    test("reading changes nothing", () =>
      changesNothing(async () => {
        const reading = mounted.filter(({ method }) => method === "GET");
        for (const { path } of reading)
          for (const method of ["GET", "HEAD"]) {
            const query = path.endsWith("/key-usage") ? "?ids=1" : "";
            const url = fixture.service.url + filled(path) + query;
            const response = await fetch(url, { method, headers: { cookie, "x-forwarded-for": freshAddress() } });
            expect([path, response.status]).toEqual([path, STATUS.find(([part]) => path.includes(part))?.[1] ?? 200]);
          }
      }));
  });
