import { beforeAll, describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import {
  type Created,
  type CreatedKey,
  create,
  feedBody,
  keyBody,
  NORTH,
  userBody,
} from "../support/sample-records.ts";
import { EVERY_PAIR, pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

type Rank = "super_admin" | "dealer_admin" | "user";
const RANKS: readonly Rank[] = ["super_admin", "dealer_admin", "user"];
const HELD = pairs(
  "vehicles:read",
  "vehicles:write",
  "feeds:write",
  "keys:read",
  "keys:write",
  "keys:delete",
  "users:read",
  "users:write",
  "users:delete",
);

for (const engine of ANSWERING)
  describe(`reactivation of records that a higher rank ended, on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    /** Keys of each rank, at NORTH or without a dealer; the user's key sees only the user's keys. */
    let acting: Record<Rank, readonly string[]>;
    let holderId: number;
    beforeAll(async () => {
      const user = (fields: object) => create(fixture.api, "/api/users", userBody({ permissions: HELD, ...fields }));
      const key = async (fields: object) =>
        (await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ permissions: EVERY_PAIR, ...fields }))).api_key;
      const ofUser = async (id: number) =>
        (await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ user_id: id }))).api_key;
      const [boss, chief, holder] = [
        await user({ role: "super_admin" }),
        await user({ role: "dealer_admin", dealer_id: NORTH }),
        await user({ dealer_id: NORTH }),
      ];
      holderId = holder.id;
      acting = {
        super_admin: [fixture.service.superAdminKey, await ofUser(boss.id)],
        dealer_admin: [await ofUser(chief.id), await key({ dealer_id: NORTH, permissions: HELD })],
        user: [await ofUser(holder.id)],
      };
    });

    /** A new key that every rank sees and manages. */
    const fresh = (fields: object = {}) =>
      create<CreatedKey>(fixture.api, "/api/keys", keyBody({ user_id: holderId, ...fields }));
    const works = async (key: string): Promise<boolean> =>
      (await fixture.api("GET", "/api/vehicles", { key })).status === 200;
    const put = (key: string, id: number, body: object) => fixture.api("PUT", `/api/keys/${id}`, { key, body });
    const ENDINGS: Readonly<Record<string, (key: string, id: number) => Promise<{ status: number }>>> = {
      "a revocation": (key, id) => fixture.api("POST", `/api/keys/${id}/revoke`, { key }),
      "a change to inactive": (key, id) => put(key, id, { active: false }),
    };

    for (const [name, end] of Object.entries(ENDINGS))
      for (const ender of RANKS)
        for (const other of RANKS) {
          const may = RANKS.indexOf(other) <= RANKS.indexOf(ender);
          test(`${may ? "may" : "may not"} undo ${name} of a key by a ${ender} if the caller is a ${other}`, async () => {
            for (const by of acting[ender])
              for (const caller of acting[other]) {
                const { id, api_key } = await fresh();
                expect((await end(by, id)).status).toBe(200);
                const reply = await put(caller, id, { active: true });
                expectReply(
                  reply,
                  may ? { status: 200, has: { active: true } } : { status: 403, code: "exceeds_your_rights" },
                );
                expect(await works(api_key)).toBe(may);
                expect(reply.text).not.toContain(api_key);
              }
          });
        }

    test("needs the rank of whoever created a key as inactive", async () => {
      const { id } = await fresh({ active: false });
      expectReply(await put(acting.dealer_admin[0] ?? "", id, { active: true }), { status: 403 });
      expectReply(await put(fixture.service.superAdminKey, id, { active: true }), { status: 200 });
    });

    test("needs a super-admin if a super-admin ended the key after its user", async () => {
      for (const end of Object.values(ENDINGS)) {
        const { id } = await fresh();
        for (const rank of ["user", "super_admin", "user"] as const) await end(acting[rank][0] ?? "", id);
        expectReply(await put(acting.user[0] ?? "", id, { active: true }), { status: 403 });
        expectReply(await put(acting.dealer_admin[0] ?? "", id, { active: true }), { status: 403 });
      }
    });

    test("needs the rank that ended the key, even after other changes of the key", async () => {
      const { id } = await fresh();
      await fixture.api("POST", `/api/keys/${id}/revoke`, { key: acting.user[0] ?? "" });
      expectReply(await put(fixture.service.superAdminKey, id, { name: "Renamed" }), { status: 200 });
      expectReply(await put(acting.user[0] ?? "", id, { active: true }), { status: 200 });
    });

    test("needs the rank that ended the key last", async () => {
      const { id } = await fresh();
      await fixture.api("POST", `/api/keys/${id}/revoke`);
      expectReply(await put(fixture.service.superAdminKey, id, { active: true }), { status: 200 });
      await fixture.api("POST", `/api/keys/${id}/revoke`, { key: acting.user[0] ?? "" });
      expectReply(await put(acting.user[0] ?? "", id, { active: true }), { status: 200 });
    });

    test("revives no secret that was in grace", async () => {
      for (const end of Object.values(ENDINGS)) {
        const { id, api_key: old } = await fresh();
        const rotated = await fixture.api<CreatedKey>("POST", `/api/keys/${id}/rotate`, {
          body: { grace_seconds: 600 },
        });
        expect([await works(old), await works(rotated.body.api_key)]).toEqual([true, true]);
        await end(fixture.service.superAdminKey, id);
        expectReply(await put(fixture.service.superAdminKey, id, { active: true }), { status: 200 });
        expect([await works(old), await works(rotated.body.api_key)]).toEqual([false, true]);
      }
    });

    test("revives no secret that a rotation of an ended key, or a key of an ended user, would put in grace", async () => {
      const { id: user_id } = await create<Created>(fixture.api, "/api/users", userBody({ dealer_id: NORTH }));
      const endings = [
        [{}, "/api/keys", null],
        [{ user_id }, "/api/users", user_id],
      ] as const;
      for (const [fields, path, owner] of endings) {
        const { id, api_key: old } = await fresh(fields);
        const ended = `${path}/${owner ?? id}`;
        expectReply(await fixture.api("PUT", ended, { body: { active: false } }), { status: 200 });
        const rotated = await fixture.api<CreatedKey>("POST", `/api/keys/${id}/rotate`, {
          body: { grace_seconds: 600 },
        });
        expectReply(await fixture.api("PUT", ended, { body: { active: true } }), { status: 200 });
        expect([await works(old), await works(rotated.body.api_key)]).toEqual([false, true]);
      }
    });

    /** Records that are switched off: each with a body, and how it shows that it is active. */
    const SWITCHES: readonly (readonly [name: string, path: string, body: object])[] = [
      ["feed", "/api/feeds", feedBody(NORTH)],
      [
        "source",
        "/api/import-sources",
        { name: "Nightly", dealer_id: NORTH, url: "https://ip6-localhost/lot.csv", schedule: "30 2 * * *" },
      ],
    ];
    for (const [name, path, body] of SWITCHES) {
      const made = (fields: object = {}) => create<Created>(fixture.api, path, { ...body, ...fields });
      const change = (key: string, id: number, active: boolean) =>
        fixture.api("PUT", `${path}/${id}`, { key, body: { active } });
      for (const ender of RANKS)
        for (const other of RANKS) {
          const may = RANKS.indexOf(other) <= RANKS.indexOf(ender);
          test(`${may ? "may" : "may not"} switch on a ${name} that a ${ender} switched off if the caller is a ${other}`, async () => {
            for (const by of acting[ender])
              for (const caller of acting[other]) {
                const { id } = await made();
                expectReply(await change(by, id, false), { status: 200, has: { active: false } });
                // What is sent back as it was answered takes no rank away.
                expectReply(await change(caller, id, false), { status: 200, has: { active: false } });
                expectReply(
                  await change(caller, id, true),
                  may ? { status: 200, has: { active: true } } : { status: 403, code: "exceeds_your_rights" },
                );
                expectReply(await fixture.api("GET", `${path}/${id}`), { status: 200, has: { active: may } });
              }
          });
        }

      test(`needs the rank of whoever created a ${name} as inactive, and of whoever ended it last`, async () => {
        const { id } = await made({ active: false });
        const [lower = ""] = acting.dealer_admin;
        expectReply(await change(lower, id, true), { status: 403, code: "exceeds_your_rights" });
        expectReply(await change(fixture.service.superAdminKey, id, true), { status: 200 });
        expectReply(await change(lower, id, false), { status: 200 });
        expectReply(await change(lower, id, true), { status: 200, has: { active: true } });
      });
    }

    test("is not got round by fetching a source that a super-admin switched off", async () => {
      const [, path, body] = SWITCHES[1] ?? ["", "", {}];
      const { id } = await create<Created>(fixture.api, path, { ...body, active: false });
      const [lower = ""] = acting.dealer_admin;
      const run = (key: string) => fixture.api("POST", `${path}/${id}/run`, { key });
      expectReply(await run(lower), { status: 403, code: "exceeds_your_rights" });
      expectReply(await run(fixture.service.superAdminKey), { status: 202 });
    });

    describe("of a user", () => {
      const putUser = (key: string, id: number, body: object) => fixture.api("PUT", `/api/users/${id}`, { key, body });
      const person = (fields: object = {}) =>
        create<Created>(
          fixture.api,
          "/api/users",
          userBody({ dealer_id: NORTH, permissions: pairs("vehicles:read"), ...fields }),
        );
      const USER_ENDINGS: Readonly<Record<string, (key: string, id: number) => Promise<{ status: number }>>> = {
        deactivated: (key, id) => fixture.api("DELETE", `/api/users/${id}`, { key }),
        "changed to inactive": (key, id) => putUser(key, id, { active: false }),
      };
      for (const [name, end] of Object.entries(USER_ENDINGS))
        test(`who was ${name} needs a super-admin if a super-admin did it, and otherwise a dealer's admin`, async () => {
          const [chief = "", dealerKey = ""] = acting.dealer_admin;
          for (const lower of [chief, dealerKey]) {
            const ended = await person();
            expect((await end(fixture.service.superAdminKey, ended.id)).status).toBe(200);
            expectReply(await putUser(lower, ended.id, { active: true }), { status: 403, code: "exceeds_your_rights" });
            expectReply(await fixture.api("GET", `/api/users/${ended.id}`), { status: 200, has: { active: false } });
            expectReply(await putUser(fixture.service.superAdminKey, ended.id, { active: true }), { status: 200 });
            expect((await end(lower, ended.id)).status).toBe(200);
            expectReply(await putUser(lower, ended.id, { active: true }), { status: 200, has: { active: true } });
          }
        });

      test("who was deactivated by a dealer's admin is possible neither by keys nor by admins that a regular user creates", async () => {
        const [holder = ""] = acting.user;
        const [, dealerKey = ""] = acting.dealer_admin;
        const granted = { dealer_id: NORTH, permissions: pairs("vehicles:read", "users:read", "users:write") };
        const { id } = await person();
        await fixture.api("DELETE", `/api/users/${id}`, { key: dealerKey });
        expectReply(await putUser(holder, id, { active: true }), { status: 403, code: "exceeds_your_rights" });
        const other = await person({ permissions: granted.permissions });
        for (const made of [
          await fixture.api("POST", "/api/keys", { key: holder, body: keyBody(granted) }),
          await fixture.api("POST", "/api/users", {
            key: holder,
            body: userBody({ ...granted, role: "dealer_admin" }),
          }),
          await putUser(holder, other.id, { role: "dealer_admin" }),
        ])
          expectReply(made, { status: 403, code: "exceeds_your_rights" });
        expectReply(await fixture.api("GET", `/api/users/${other.id}`), { status: 200, has: { role: "user" } });
      });

      test("gives the user's keys no secret in grace", async () => {
        const { id: user_id } = await person();
        const { id, api_key: old } = await fresh({ user_id });
        const rotated = await fixture.api<CreatedKey>("POST", `/api/keys/${id}/rotate`, {
          body: { grace_seconds: 600 },
        });
        await fixture.api("DELETE", `/api/users/${user_id}`);
        await putUser(fixture.service.superAdminKey, user_id, { active: true });
        expect([await works(old), await works(rotated.body.api_key)]).toEqual([false, true]);
      });

      test("who was deactivated by a super-admin is not replaced by assigning the user's key to somebody else", async () => {
        const { id: user_id } = await person();
        const { id, api_key } = await fresh({ user_id });
        await fixture.api("DELETE", `/api/users/${user_id}`);
        for (const ties of [{ dealer_id: NORTH }, { user_id: holderId }])
          for (const key of acting.dealer_admin)
            expectReply(await put(key, id, ties), { status: 403, code: "exceeds_your_rights" });
        expect(await works(api_key)).toBe(false);
        expectReply(await put(fixture.service.superAdminKey, id, { user_id: holderId }), { status: 200 });
        expect(await works(api_key)).toBe(true);
      });
    });
  });
