import { beforeAll, describe, expect, test } from "bun:test";
import type { Import } from "../../core/imports/import.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { linksOf } from "../support/links.ts";
import { walkPages } from "../support/pages.ts";
import { create, feedBody, NORTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface Listed {
  readonly data: readonly object[];
  readonly meta: { readonly total: number; readonly next_cursor: string | null };
}

const MANY = 5;
const FILE = `vin,year,make,model,price\n${Array.from({ length: MANY }, (_, at) => `L${at},2020,Kia,Rio,9000\n`).join("")}`;

/** The lists that have only cursors, each with a filter that all its items match, if it has one. */
const LISTS = [
  { path: "/api/imports", filter: "state=previewed&" },
  { path: "/api/imports/1/rows", filter: "outcome=created&" },
  { path: "/api/import-mappings", filter: `dealer_id=${NORTH}&` },
  { path: "/api/import-sources", filter: `dealer_id=${NORTH}&` },
  { path: "/api/feeds", filter: "" },
  { path: "/api/recent-changes", filter: `dealer_id=${NORTH}&` },
  { path: "/api/feeds/1/readiness/vehicles", filter: "severity=error&" },
];

for (const engine of ANSWERING)
  describe(`lists by cursor on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    beforeAll(async () => {
      const source = { dealer_id: NORTH, url: "https://files.example.com/lot.csv", schedule: "30 2 * * *" };
      const headers = { "content-type": "text/csv" };
      for (let number = 1; number <= MANY; number++) {
        const path = `/api/imports?dealer_id=${NORTH}&dry_run=true`;
        const { id } = (await fixture.api<Import>("POST", path, { raw: FILE, headers })).body;
        const read = () => fixture.api<Import>("GET", `/api/imports/${id}`);
        await eventually(read, ({ body }) => body.state === "previewed");
        const name = `Number ${number}`;
        await create(fixture.api, "/api/import-mappings", { name, dealer_id: NORTH, columns: { Lot: "price" } });
        await create(fixture.api, "/api/import-sources", { name, ...source });
        await create(fixture.api, "/api/feeds", feedBody(NORTH, { channel: "meta", filters: { make: "Plain" } }));
        const vehicle = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH, { make: "Plain" }));
        const changes = { mileage: number };
        await fixture.api("POST", "/api/vehicles/bulk", { body: { ids: [vehicle.id], changes } });
      }
    });

    for (const { path, filter } of LISTS)
      test(`of ${path} continue from page to page through next, and every page states the total`, async () => {
        const whole = await fixture.api<Listed>("GET", `${path}?${filter}`);
        expect(whole.body.meta).toEqual({ total: MANY, next_cursor: null });
        const first = `${path}?${filter}limit=2`;
        const walked = await walkPages(first, 3, async (target) => {
          const reply = await fixture.api<Listed>("GET", target);
          expectReply(reply, { status: 200, gives: { "x-total-count": String(MANY) } });
          const { first: start, next = null } = linksOf(reply);
          expect(start).toBe(first);
          const cursor = next && new URL(next, "http://localhost").searchParams.get("cursor");
          expect(cursor).toBe(reply.body.meta.next_cursor);
          return { items: reply.body.data, next };
        });
        expect(walked).toEqual([...whole.body.data]);
      });
  });
