import { beforeAll, describe, expect, test } from "bun:test";
import type { Dealer } from "../../core/dealers/dealer.ts";
import { type Case, expectReply, testCases } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { create, dealerBody, NORTH, NOTHING } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UNSET = { website: null, logo_url: null, description: null, hours: null, social_media: null };
const FULL = {
  ...dealerBody(),
  website: "https://harbor.example.com",
  logo_url: "https://harbor.example.com/logo.png",
  description: "Since 1974.\n«Žluť» 🚗",
  hours: { monday: "9:00-18:00", sunday: "closed" },
  social_media: { mastodon: "https://social.example.com/@harbor" },
};

const CASES: Case[] = [
  {
    name: "a new dealer is active, with null for omitted fields",
    send: "POST /api/dealers",
    body: dealerBody(),
    status: 201,
    has: { ...dealerBody(), ...UNSET, active: 1, created_at: expect.stringMatching(TIMESTAMP) },
    gives: { location: /^\/api\/dealers\/\d+$/ },
  },
  { name: "every field is stored as it was sent", send: "POST /api/dealers", body: FULL, status: 201, has: FULL },
  {
    name: "a dealer may be created inactive",
    send: "POST /api/dealers",
    body: dealerBody({ active: false }),
    status: 201,
    has: { active: 0 },
  },
  {
    name: "a creation names all missing fields at once",
    send: "POST /api/dealers",
    body: {},
    status: 400,
    faults: ["address", "city", "email", "name", "phone", "state", "zip"],
  },
  {
    name: "a wrong part of a structured field is named by its path",
    send: "POST /api/dealers",
    body: dealerBody({ hours: { monday: "", funday: "x" }, social_media: { mastodon: "nowhere" } }),
    status: 400,
    faults: ["hours.funday", "hours.monday", "social_media.mastodon"],
  },
  {
    name: "reading a missing dealer is a 404 that names it",
    send: `GET /api/dealers/${NOTHING}`,
    status: 404,
    has: { error: `Dealer ${NOTHING} not found` },
  },
  {
    name: "changing a missing dealer is a 404",
    send: `PUT /api/dealers/${NOTHING}`,
    body: { city: "Salem" },
    status: 404,
    has: { error: `Dealer ${NOTHING} not found` },
  },
  { name: "deactivating a missing dealer is a 404", send: `DELETE /api/dealers/${NOTHING}`, status: 404 },
  { name: "a missing dealer has no statistics", send: `GET /api/dealers/${NOTHING}/stats`, status: 404 },
  {
    name: "a change without any field is refused",
    send: `PUT /api/dealers/${NORTH}`,
    body: { id: 5 },
    status: 400,
    faults: [""],
  },
  {
    name: "null does not clear a required field of a dealer",
    send: `PUT /api/dealers/${NORTH}`,
    body: { name: null, address: null, city: null, state: null, zip: null, phone: null, email: null, active: null },
    status: 400,
    faults: ["active", "address", "city", "email", "name", "phone", "state", "zip"],
  },
];

for (const engine of ANSWERING)
  describe(`dealers on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    testCases(fixture, CASES);

    const fresh = (fields: object = {}) => create<Dealer>(fixture.api, "/api/dealers", dealerBody(fields));
    const read = async (id: number) => (await fixture.api<Dealer>("GET", `/api/dealers/${id}`)).body;

    test("a change affects only the sent fields and updated_at; structured fields are replaced as a whole", async () => {
      const { id } = await fresh(FULL);
      for (const changes of [
        { city: "Salem", email: "new@harbor.example.com" },
        { hours: { friday: "9-5" } },
        { hours: null, social_media: null, website: null },
        { active: 0 },
        { active: true },
      ]) {
        const before = await read(id);
        const { status, body } = await fixture.api<Dealer>("PUT", `/api/dealers/${id}`, { body: changes });
        expect(status).toBe(200);
        const active = "active" in changes ? { active: changes.active ? 1 : 0 } : {};
        expect(body).toEqual({ ...before, ...(changes as object), ...active, updated_at: body.updated_at } as Dealer);
        expect(body.updated_at > before.updated_at).toBe(true);
        expect(await read(id)).toEqual(body);
      }
    });

    test("an answer can be sent back unchanged, and only updated_at changes", async () => {
      for (const fields of [{}, FULL]) {
        const before = await read((await fresh(fields)).id);
        const { status, body } = await fixture.api<Dealer>("PUT", `/api/dealers/${before.id}`, { body: before });
        expect(status).toBe(200);
        expect(body).toEqual({ ...before, updated_at: body.updated_at });
      }
    });

    test("deletion deactivates a dealer: the record stays, and deleting again is no error", async () => {
      const before = await fresh(FULL);
      for (let time = 0; time < 2; time++) {
        const { status, body } = await fixture.api("DELETE", `/api/dealers/${before.id}`);
        expect([status, body]).toEqual([200, { success: true, message: `Dealer ${before.id} deactivated` }]);
      }
      const after = await read(before.id);
      expect(after).toEqual({ ...before, active: 0, updated_at: after.updated_at });
    });

    test("ids of dealers reveal nothing of dealers out of reach", async () => {
      expectReply(await fixture.as("north", { method: "GET", path: `/api/dealers/${NOTHING}` }), {
        status: 404,
        code: "not_found",
      });
    });

    describe("in the list", () => {
      const CITY = "Ås";
      let ids: number[];
      beforeAll(async () => {
        ids = [];
        for (const fields of [
          { city: CITY, state: "XX" },
          { ...FULL, city: CITY, state: "xx" },
          { city: CITY, active: 0 },
        ])
          ids.push((await fresh(fields)).id);
      });

      const FOUND: [query: string, places: number[]][] = [
        ["city=%C3%A5S", [2, 1, 0]],
        ["city=%C3%85s&state=Xx", [1, 0]],
        ["city=%C3%85s&active=true", [1, 0]],
        ["city=%C3%85s&active=0", [2]],
        ["city=%C3%85", []],
        ["state=xx&limit=1&offset=1", [0]],
      ];
      for (const [query, places] of FOUND)
        test(`are found by "${query}" exactly if it describes them`, async () => {
          const { body } = await fixture.api<Dealer[]>("GET", `/api/dealers?${query}`);
          expect(body.map(({ id }) => id)).toEqual(places.map((place) => ids[place] as number));
        });

      test("have all fields except unset long ones", async () => {
        const { body } = await fixture.api<Dealer[]>("GET", `/api/dealers?city=${encodeURIComponent(CITY)}`);
        const [, full, bare] = body;
        expect(full).toEqual(await read(ids[1] as number));
        const { logo_url: _, description: __, hours: ___, social_media: ____, ...short } = await read(ids[0] as number);
        expect<unknown>(bare).toEqual(short);
      });
    });
  });
