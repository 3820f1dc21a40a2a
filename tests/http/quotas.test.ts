import { beforeAll, describe, expect, test } from "bun:test";
import { FIRST, firstAdmin, makePerson, signIn } from "../support/browser.ts";
import { expectReply } from "../support/cases.ts";
import type { Reply } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { jpegPhoto } from "../support/photos.ts";
import {
  type Created,
  type CreatedKey,
  create,
  dealerBody,
  imageBody,
  keyBody,
  NORTH_CAR,
  userBody,
  vehicleBody,
} from "../support/sample-records.ts";
import { CAN_ADVANCE_CLOCK, pairs, startService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const LIMIT = 3;
const MANY = 20;
const BULK = { ids: [999_999], changes: { year: 2001 } };
/** Requests that change many vehicles. */
const MANY_AT_ONCE = [
  ["/api/vehicles/batch", { items: [{}] }],
  ["/api/vehicles/bulk", BULK],
] as const;

for (const engine of ANSWERING)
  describe(`quotas on ${engine.name}`, () => {
    // Each dealer and user of the sample records has fewer.
    const fixture = serviceFixture(engine, {
      MAX_KEYS_PER_DEALER: String(LIMIT),
      MAX_KEYS_PER_USER: String(LIMIT),
      MAX_USERS_PER_DEALER: String(LIMIT),
      MAX_IMAGES_PER_VEHICLE: String(LIMIT),
      MAX_KEPT_MIB_PER_DEALER: "1",
      MAX_KEPT_ANSWERS_PER_DEALER: String(LIMIT),
    });
    let other: number;
    beforeAll(async () => {
      other = await dealer();
    });

    const dealer = async () => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const user = async (fields: object) => (await create(fixture.api, "/api/users", userBody(fields))).id;
    const key = async (fields: object) => (await create(fixture.api, "/api/keys", keyBody(fields))).id;
    const post = (path: string, body: object) => fixture.api<Created>("POST", path, { body });
    const put = (path: string, body: object) => fixture.api("PUT", path, { body });
    const totalOf = async (path: string) => Number((await fixture.api("GET", path)).headers.get("x-total-count"));
    const refused = (reply: Reply, variable: string) => {
      expectReply(reply, { status: 409, code: "quota_exceeded" });
      const { error } = reply.body as { error: string };
      for (const word of [String(LIMIT), variable]) expect(error).toContain(word);
      expect(reply.text).not.toContain("vis_");
    };

    testMovingClock(
      "a dealer's newest answers to repeatable requests are kept, whatever others have kept",
      async () => {
        const isReplay = async (caller: "dealer" | "operator", place: number): Promise<boolean> => {
          const { headers, status } = await fixture.api("PUT", `/api/vehicles/${NORTH_CAR}`, {
            key: caller === "dealer" ? fixture.records.keys.north.api_key : fixture.service.superAdminKey,
            body: { mileage: place },
            headers: { "idempotency-key": `${caller} ${place}`.replace(" ", "-") },
          });
          expect(status).toBe(200);
          return headers.get("idempotency-replayed") === "true";
        };
        await isReplay("operator", 0);
        for (let place = 0; place <= LIMIT; place++) {
          await isReplay("dealer", place);
          await fixture.service.pass(1);
        }
        await fixture.service.runTimers(600);
        const places = Array.from({ length: LIMIT + 1 }, (_, place) => LIMIT - place);
        const found: boolean[] = [];
        for (const place of places) found.push(await isReplay("dealer", place));
        expect([found, await isReplay("operator", 0)]).toEqual([[true, true, true, false], true]);
      },
    );

    /** For each quota how to create a record for an owner, and how to move one to the owner. */
    const COUNTED = {
      "keys of a dealer": {
        variable: "MAX_KEYS_PER_DEALER",
        owner: dealer,
        path: "/api/keys",
        body: (id: number) => keyBody({ dealer_id: id }),
        list: (id: number) => `/api/keys?dealer_id=${id}&limit=1`,
        elsewhere: () => key({}),
        move: (id: number) => ({ dealer_id: id }),
      },
      "keys of a user": {
        variable: "MAX_KEYS_PER_USER",
        owner: () => user({}),
        path: "/api/keys",
        body: (id: number) => keyBody({ user_id: id }),
        list: (id: number) => `/api/keys?user_id=${id}&limit=1`,
        elsewhere: () => key({}),
        move: (id: number) => ({ user_id: id }),
      },
      "users of a dealer": {
        variable: "MAX_USERS_PER_DEALER",
        owner: dealer,
        path: "/api/users",
        body: (id: number) => userBody({ dealer_id: id }),
        list: (id: number) => `/api/users?dealer_id=${id}&limit=1`,
        elsewhere: () => user({}),
        move: (id: number) => ({ dealer_id: id }),
      },
    } as const;

    for (const [name, { variable, owner, path, body, list, elsewhere, move }] of Object.entries(COUNTED))
      describe(name, () => {
        test("may reach the quota, and the refusal of one more names it", async () => {
          const id = await owner();
          for (let made = 0; made < LIMIT; made++) expectReply(await post(path, body(id)), { status: 201 });
          refused(await post(path, body(id)), variable);
          expect(await totalOf(list(id))).toBe(LIMIT);
          expectReply(await post(path, body(await owner())), { status: 201 });
        });

        test("do not exceed it when they are created concurrently", async () => {
          const id = await owner();
          const replies = await Promise.all(Array.from({ length: MANY }, () => post(path, body(id))));
          expect(replies.filter(({ status }) => status === 201)).toHaveLength(LIMIT);
          expect(replies.filter(({ status }) => status === 409)).toHaveLength(MANY - LIMIT);
          expect(await totalOf(list(id))).toBe(LIMIT);
        });

        test("do not exceed it by moves, and refused ones stay where they were", async () => {
          const id = await owner();
          const moved = await Promise.all(Array.from({ length: LIMIT + 2 }, elsewhere));
          const replies = await Promise.all(moved.map((one) => put(`${path}/${one}`, move(id))));
          expect(replies.map(({ status }) => status).sort()).toEqual([...Array(LIMIT).fill(200), 409, 409]);
          for (const [index, reply] of replies.entries()) {
            if (reply.status === 200) continue;
            refused(reply, variable);
            expect((await fixture.api("GET", `${path}/${moved[index]}`)).body).not.toMatchObject(move(id));
          }
          expect(await totalOf(list(id))).toBe(LIMIT);
        });

        test("count even when they are inactive, and can be changed while the quota is reached", async () => {
          const id = await owner();
          const [first = 0] = await Promise.all(
            Array.from({ length: LIMIT }, async () => (await post(path, body(id))).body.id),
          );
          expectReply(await put(`${path}/${first}`, { active: false }), { status: 200 });
          refused(await post(path, body(id)), variable);
          expectReply(await put(`${path}/${first}`, { active: true, name: "Renamed" }), { status: 200 });
        });
      });

    test("let a new key take the place of a deleted one", async () => {
      const dealer_id = await dealer();
      const ids = await Promise.all(Array.from({ length: LIMIT }, () => key({ dealer_id })));
      await fixture.api("DELETE", `/api/keys/${ids[0]}`);
      expectReply(await post("/api/keys", keyBody({ dealer_id })), { status: 201 });
    });

    test("do not apply to keys without a dealer or user", async () => {
      for (let made = 0; made < LIMIT + 1; made++) await key({});
    });

    test("limit a vehicle's images, even if they are added all at once", async () => {
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(other));
      const path = `/api/vehicles/${id}/images`;
      const replies = await Promise.all(Array.from({ length: MANY }, () => post(path, imageBody())));
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(LIMIT);
      const last = await post(path, imageBody());
      expectReply(last, { status: 400, code: "invalid_input", faults: [""] });
      expect(last.text).toContain(`${LIMIT} images`);
      expect(await totalOf(`${path}?limit=1`)).toBe(LIMIT);
    });

    test("limit the files that are kept for a dealer's imports, until some are deleted", async () => {
      const own = await dealer();
      const row = `,${"d".repeat(200_000)}\n`;
      const send = (dealerId: number, rows: number) =>
        fixture.api<Created>("POST", `/api/imports?dealer_id=${dealerId}&dry_run=true`, {
          raw: `VIN,Description\n${row.repeat(rows)}`,
          headers: { "content-type": "text/csv" },
        });
      // Compressed, they would take next to nothing: what counts is their size unpacked.
      const { body: large } = await send(own, 6);
      const full = await send(own, 1);
      expectReply(full, { status: 507, code: "storage_quota" });
      expect(full.text).toContain("the 1 MiB that they may take");
      expectReply(await send(other, 1), { status: 202 });
      // What changes many vehicles leaves much in the audit log, and waits, too.
      const permissions = pairs("vehicles:read", "vehicles:write");
      const keys = await Promise.all(
        [own, other].map((dealer_id) =>
          create<CreatedKey>(fixture.api, "/api/keys", keyBody({ dealer_id, permissions })),
        ),
      );
      const expected = (place: number) => (place === 0 ? { status: 507, code: "storage_quota" } : { status: 200 });
      for (const [place, { api_key: key }] of keys.entries())
        for (const [path, body] of MANY_AT_ONCE)
          expectReply(await fixture.api("POST", path, { key, body }), expected(place));
      // So does a list of images, each of which is an entry; vehicles without one do not.
      for (const [place, { api_key: key }] of keys.entries()) {
        const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(place === 0 ? own : other));
        const images = ["https://images.example.com/front.jpg"];
        const sent = { key, body: { ...vehicleBody(null), images } };
        expectReply(await fixture.api("PUT", `/api/vehicles/${id}`, sent), expected(place));
        expectReply(await fixture.api("POST", "/api/vehicles", sent), place === 0 ? expected(0) : { status: 201 });
        expectReply(await fixture.api("PUT", `/api/vehicles/${id}`, { key, body: { price: 5 } }), { status: 200 });
      }
      expectReply(
        await fixture.api("POST", "/api/vehicles/bulk", {
          key: keys[0]?.api_key ?? "",
          body: { ...BULK, dry_run: true },
        }),
        { status: 200 },
      );
      await fixture.api("POST", `/api/imports/${large.id}/cancel`);
      const remove = () => fixture.api("DELETE", `/api/imports/${large.id}`);
      await eventually(remove, ({ status }) => status === 200);
      await eventually(
        () => send(own, 1),
        ({ status }) => status === 202,
      );
    });

    test("of kept bytes hold for files that arrive at once, and end one that exceeds them on its way", async () => {
      const own = await dealer();
      const file = `VIN,Description\n${`,${"d".repeat(200_000)}\n`.repeat(45)}`;
      const replies = await Promise.all(
        [1, 2].map(() =>
          fixture.api("POST", `/api/imports?dealer_id=${own}&dry_run=true`, {
            raw: file,
            headers: { "content-type": "text/csv" },
          }),
        ),
      );
      for (const reply of replies) expectReply(reply, { status: 507, code: "storage_quota" });
      const { body } = await fixture.api("GET", `/api/imports?dealer_id=${own}`);
      expect(body).toMatchObject({ data: [] });
    });

    // On PostgreSQL, the disk of the database is another machine's.
    if (engine.name === "SQLite")
      test("on the disk refuse imports, batches and bulk changes before it is full, and nothing else", async () => {
        const full = await startService(engine, { MIN_FREE_MIB: "999999" });
        const { id: dealer_id } = await create(full.api, "/api/dealers", dealerBody());
        const sent = { raw: "VIN,Make\n,Kia\n", headers: { "content-type": "text/csv" } };
        expectReply(await full.api("POST", `/api/imports?dealer_id=${dealer_id}`, sent), {
          status: 507,
          code: "storage_full",
        });
        for (const [path, body] of MANY_AT_ONCE)
          expectReply(await full.api("POST", path, { body }), { status: 507, code: "storage_full" });
        const { id: vehicle } = await create(full.api, "/api/vehicles", vehicleBody(dealer_id));
        const photo = { raw: await jpegPhoto(64, 48), headers: { "content-type": "image/jpeg" } };
        expectReply(await full.api("POST", `/api/vehicles/${vehicle}/images`, photo), {
          status: 507,
          code: "storage_full",
        });
        await full.close();
      });

    describe("of invitations", () => {
      const own = serviceFixture(engine, { INVITATIONS_PER_HOUR: String(LIMIT) });

      test("limit the invitations of one caller in an hour, whoever is invited, even all at once", async () => {
        const admin = await firstAdmin(own.service);
        const people = await Promise.all(Array.from({ length: MANY }, () => makePerson(admin, {})));
        const invite = (id: number) => admin.send<{ code: string }>("POST", `/portal/api/users/${id}/invitation`);
        expect((await admin.send("POST", "/portal/api/users/9999999/invitation")).status).toBe(404);
        const replies = await Promise.all(people.map(({ id }) => invite(id)));
        expect(replies.filter(({ status }) => status === 201)).toHaveLength(LIMIT);
        const [refusal] = replies.filter(({ status }) => status !== 201);
        expect(refusal).toMatchObject({ status: 429, body: { code: "rate_limit_exceeded" } });
        const wait = Number(refusal?.headers.get("retry-after"));
        expect(wait).toBeGreaterThan(3000);
        expect(wait).toBeLessThanOrEqual(3600);
        expect(refusal?.text).not.toContain("/invitations/");
        if (!CAN_ADVANCE_CLOCK) return;
        await own.service.pass(wait);
        expect((await signIn(admin, FIRST.email)).status).toBe(200);
        expect((await invite(people[0]?.id ?? 0)).status).toBe(201);
      });
    });

    test("that were lowered leave existing records working, but no more are added", async () => {
      const service = await startService(engine, { MAX_KEYS_PER_DEALER: "2" });
      const { id: dealer_id } = await create(service.api, "/api/dealers", dealerBody());
      const ids = [];
      for (let made = 0; made < 2; made++)
        ids.push((await create(service.api, "/api/keys", keyBody({ dealer_id }))).id);
      await service.close();
      const { databaseUrl: DATABASE_URL, bootstrapKey: BOOTSTRAP_API_KEY } = service;
      const later = await startService(engine, { DATABASE_URL, BOOTSTRAP_API_KEY, MAX_KEYS_PER_DEALER: "1" });
      const renamed = await later.api("PUT", `/api/keys/${ids[0]}`, { body: { name: "Renamed", dealer_id } });
      expectReply(renamed, { status: 200 });
      expectReply(await later.api("POST", "/api/keys", { body: keyBody({ dealer_id }) }), { status: 409 });
      await later.close();
    });
  });
