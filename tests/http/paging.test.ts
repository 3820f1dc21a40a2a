import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { linksOf } from "../support/links.ts";
import { walkPages } from "../support/pages.ts";
import {
  create,
  dealerBody,
  imageBody,
  keyBody,
  NORTH,
  NORTH_CAR,
  userBody,
  vehicleBody,
} from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface Numbered {
  readonly id: number;
}
type Listed = readonly Numbered[] | { readonly vehicles: readonly Numbered[] };

const itemsOf = (body: Listed): readonly Numbered[] => ("vehicles" in body ? body.vehicles : body);

/** Every list, each with a filter that all its items match. */
const LISTS = [
  { path: "/api/vehicles", filter: "year=2024" },
  { path: "/api/vehicles", filter: "sort=-days_on_lot&year=2024" },
  { path: `/api/dealers/${NORTH}/vehicles`, filter: "status=available" },
  { path: `/api/vehicles/${NORTH_CAR}/images`, filter: "" },
  { path: "/api/dealers", filter: "active=true" },
  { path: "/api/keys", filter: "active=true" },
  { path: "/api/users", filter: "active=true" },
  { path: "/api/audit", filter: "" },
];

const REFUSED = ["0", "1001", "-1", "1.5", "01", "1e3", "0x10", "", "%205", "+5", "five", "9007199254740993", "1,000"];

for (const engine of ANSWERING)
  describe(`pages on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    beforeAll(async () => {
      for (let number = 0; number < 7; number++) {
        await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
        await create(fixture.api, `/api/vehicles/${NORTH_CAR}/images`, imageBody());
        await create(fixture.api, "/api/dealers", dealerBody());
        await create(fixture.api, "/api/keys", keyBody());
        await create(fixture.api, "/api/users", userBody());
      }
    });

    for (const { path, filter } of LISTS) {
      const list = (query: string) => fixture.api<Listed>("GET", `${path}?${query}`);

      test(`of ${path} linked by next have each item of the list exactly once and in order`, async () => {
        const whole = itemsOf((await list("limit=1000")).body);
        expect(whole.length).toBeGreaterThan(6);
        for (const limit of [1, 3, 1000]) {
          const pages = Math.ceil(whole.length / limit);
          const walked = await walkPages(`${path}?${filter}&limit=${limit}`, pages, async (target) => {
            const reply = await fixture.api<Listed>("GET", target);
            expectReply(reply, { status: 200, gives: { "x-total-count": String(whole.length) } });
            return { items: itemsOf(reply.body), next: linksOf(reply).next ?? null };
          });
          expect(walked.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
        }
      });

      test(`of ${path} link to the first, previous, next and last page, with the same filters`, async () => {
        const total = itemsOf((await list("limit=1000")).body).length;
        const last = Math.floor((total - 1) / 3) * 3;
        for (const [offset, prev, next] of [
          [0, null, 3],
          [3, 0, 6],
          [1, 0, 4],
          [last, last - 3, null],
          [total, Math.min(total - 3, last), null],
          [total + 50, last, null],
        ] as const) {
          const reply = await list(`${filter}&limit=3&offset=${offset}`);
          const targets = Object.entries(linksOf(reply)).map(([relation, target]) => {
            const url = new URL(target, "http://localhost");
            expect([url.pathname, url.searchParams.get("limit")]).toEqual([path, "3"]);
            if (filter !== "") expect(target).toContain(filter);
            return [relation, Number(url.searchParams.get("offset"))];
          });
          expect(Object.fromEntries(targets)).toEqual({
            first: 0,
            last,
            ...(prev !== null && { prev }),
            ...(next !== null && { next }),
          });
          expect(itemsOf(reply.body)).toHaveLength(Math.max(0, Math.min(3, total - offset)));
        }
      });

      test(`of ${path} without limit and offset have the first hundred items`, async () => {
        expect(itemsOf((await list("")).body)).toEqual(itemsOf((await list("limit=100&offset=0")).body));
      });

      test(`of ${path} accept as limit 1 to 1000 and as offset 0 or more, in plain digits`, async () => {
        for (const value of REFUSED)
          expectReply(await list(`limit=${value}`), { status: 400, code: "invalid_input", faults: ["limit"] });
        for (const value of REFUSED.filter((one) => one !== "0" && one !== "1001"))
          expectReply(await list(`offset=${value}`), { status: 400, faults: ["offset"] });
        for (const query of ["limit=1", "limit=1000", "offset=0", `offset=${Number.MAX_SAFE_INTEGER}`])
          expectReply(await list(query), { status: 200 });
      });

      test(`of ${path} link to other pages without unknown parameters`, async () => {
        const reply = await fixture.api("GET", `${path}?limit=1&utm_source=${"%3C".repeat(4000)}`);
        expect(reply.status).toBe(200);
        expect(reply.headers.get("link")).toContain('rel="first"');
        expect(reply.headers.get("link")).not.toContain("utm_source");
      });

      test(`of ${path} refuse unknown parameters, and a known one given twice`, async () => {
        const unknown = ["nothing", "constructor", "toString"];
        expectReply(await list(unknown.map((name) => `${name}=1`).join("&")), { status: 400, faults: unknown });
        expectReply(await list("_=1&__proto__=3&utm_source=mail"), { status: 200 });
        expectReply(await list("limit=1&limit=2"), { status: 400, faults: ["limit"] });
      });
    }

    test("of an empty list are only the first one, which is also the last", async () => {
      for (const path of [
        "/api/vehicles?make=none",
        "/api/dealers?city=none",
        "/api/users?role=super_admin&active=false",
      ]) {
        const reply = await fixture.api<Listed>("GET", path);
        expect(itemsOf(reply.body)).toEqual([]);
        expect(reply.headers.get("x-total-count")).toBe("0");
        expect(Object.keys(linksOf(reply)).sort()).toEqual(["first", "last"]);
      }
    });

    test("have a cursor that is valid only for the same list, filter and caller", async () => {
      const { headers, body } = await fixture.api<{ meta: { next_cursor: string } }>(
        "GET",
        "/api/vehicles?limit=1&year=2024",
      );
      const cursor = body.meta.next_cursor;
      expect(headers.get("link")).toContain(encodeURIComponent(cursor));
      const status = async (path: string) =>
        (await fixture.api("GET", `${path}&cursor=${encodeURIComponent(cursor)}`)).status;
      expect(await status("/api/vehicles?limit=2&year=2024")).toBe(200);
      expect(await status("/api/vehicles?limit=1&year=2023")).toBe(400);
      expect(await status("/api/vehicles?limit=1")).toBe(400);
      expect(await status("/api/vehicles?limit=1&year=2024&sort=price")).toBe(400);
      expect(await status("/api/vehicles?limit=1&year=2024&make=Toyota")).toBe(400);
      expect(await status(`/api/dealers/${NORTH}/vehicles?limit=1&year=2024`)).toBe(400);
      const bound = await fixture.as("north", {
        method: "GET",
        path: `/api/vehicles?limit=1&year=2024&cursor=${encodeURIComponent(cursor)}`,
      });
      expectReply(bound, { status: 400, faults: ["cursor"] });
      for (const forged of ["", "x", `${cursor}x`, cursor.slice(1), `${cursor}.x`, "a.b"])
        expectReply(await fixture.api("GET", `/api/vehicles?limit=1&year=2024&cursor=${encodeURIComponent(forged)}`), {
          status: 400,
          faults: ["cursor"],
        });
    });

    test("linked by next neither repeat nor miss a vehicle while others are added", async () => {
      const inventories = [
        (dealer: number) => `/api/vehicles?dealer_id=${dealer}&`,
        (dealer: number) => `/api/dealers/${dealer}/vehicles?status=available&`,
      ];
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...inventories),
          fc.nat(25),
          fc.integer({ min: 1, max: 6 }),
          fc.array(fc.nat(4), { minLength: 1, maxLength: 10, size: "max" }),
          async (inventory, present, limit, addedBetween) => {
            const dealer = (await create(fixture.api, "/api/dealers", dealerBody())).id;
            const add = async () => (await create(fixture.api, "/api/vehicles", vehicleBody(dealer))).id;
            const there = await Promise.all(Array.from({ length: present }, add));
            const added: number[] = [];
            // Records that are added during the walk come before it and do not lengthen it.
            const walked = await walkPages(`${inventory(dealer)}limit=${limit}`, present + 1, async (target, page) => {
              const reply = await fixture.api<Listed>("GET", target);
              for (let more = addedBetween[page % addedBetween.length] ?? 0; more > 0; more--) added.push(await add());
              return { items: itemsOf(reply.body), next: linksOf(reply).next ?? null };
            });
            const seen = walked.map(({ id }) => id);
            expect(new Set(seen).size).toBe(seen.length);
            expect(there.filter((id) => !seen.includes(id))).toEqual([]);
            expect(seen.filter((id) => !there.includes(id) && !added.includes(id))).toEqual([]);
          },
        ),
        { numRuns: 25 },
      );
    });
  });
