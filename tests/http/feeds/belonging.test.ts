import { describe, expect, test } from "bun:test";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import { ENGINES } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { type CreatedKey, create, keyBody, vehicleBody } from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { type Feed, feedsOn } from "./feeds.ts";

for (const engine of ENGINES)
  describe(`feeds on ${engine.name}`, () => {
    const { fixture, feedOf, fetched, columnOf, lot, remove, read } = feedsOn(engine);

    /** A key of a dealer, with what it reads of a feed and of the audit log. */
    const readerOf = async (dealer: number) => {
      const { api_key: key } = await create<CreatedKey>(
        fixture.api,
        "/api/keys",
        keyBody({ dealer_id: dealer, permissions: pairs("feeds:read", "audit:read") }),
      );
      return {
        feed: async (id: number) => (await fixture.api<Feed>("GET", `/api/feeds/${id}`, { key })).body,
        audit: async (id: number) =>
          (await fixture.api<AuditEntry[]>("GET", "/api/audit?resource=feeds", { key })).body.filter(
            (entry) => entry.resource_id === id,
          ),
      };
    };
    const change = async (id: number, body: object) => {
      const reply = await fixture.api<Feed>("PUT", `/api/feeds/${id}`, { body });
      expect(reply.status).toBe(200);
      return reply.body;
    };

    describe("reveal nothing of other dealers", () => {
      test("by their store codes", async () => {
        const [own, other] = [await lot(0), await lot(0)];
        const store_codes = { [own.dealer]: "Own", [other.dealer]: "Other" };
        const made = await feedOf(own.dealer, { store_codes });
        expect(made).toMatchObject({ store_codes: { [own.dealer]: "Own" } });
        const both = await feedOf(own.dealer, { dealer_ids: [own.dealer, other.dealer], store_codes });
        expect(both).toMatchObject({ store_codes });
        await change(both.id, { dealer_ids: [own.dealer] });
        const reader = await readerOf(own.dealer);
        for (const { id } of [made, both]) {
          expect((await reader.feed(id)) as object).toMatchObject({ store_codes: { [own.dealer]: "Own" } });
          expect(JSON.stringify([await reader.feed(id), await reader.audit(id)])).not.toContain("Other");
        }
      });

      test("by what a feed contained when it also belonged to others", async () => {
        const [own, other] = [await lot(1), await lot(9)];
        const { id, url } = await feedOf(own.dealer, { dealer_ids: [own.dealer, other.dealer] });
        expect(await columnOf(url, "id")).toHaveLength(10);
        await remove(other.vehicles);
        expect((await fetched(url)).status).toBe(503);
        await eventually(
          () => read(id),
          ({ fetches }) => fetches.length === 2,
        );
        await change(id, { dealer_ids: [own.dealer] });
        const reader = await readerOf(own.dealer);
        expect(await reader.feed(id)).toMatchObject({ fetches: [], held: null, stopped: null });
        expect(await columnOf(url, "id")).toHaveLength(1);
        const { fetches } = await eventually(
          () => reader.feed(id),
          (feed) => feed.fetches.length > 0,
        );
        expect(fetches).toMatchObject([{ status: 200, rows: 1 }]);
        // From then on it can be held like any other feed.
        for (let made = 0; made < 4; made++) await create(fixture.api, "/api/vehicles", vehicleBody(own.dealer));
        expect(await columnOf(url, "id")).toHaveLength(5);
        await change(id, { filters: { make: "Nobody" }, dealer_ids: [own.dealer] });
        expect((await fetched(url)).status).toBe(503);
      });

      test("by audit entries from when a feed becomes another dealer's", async () => {
        const [own, other] = [await lot(0), await lot(0)];
        const reader = await readerOf(own.dealer);
        for (const dealer_ids of [[own.dealer, other.dealer], [other.dealer], null]) {
          const { id } = await feedOf(own.dealer);
          await change(id, { dealer_ids, name: "Another life", store_codes: { [other.dealer]: "Another life" } });
          const entries = await reader.audit(id);
          expect(entries.map(({ action }) => action)).toEqual(["feed.changed", "feed.created"]);
          expect(entries[0]).toMatchObject({ before: { dealer_id: own.dealer }, after: { dealer_id: null } });
          expect(JSON.stringify(entries)).not.toContain("Another life");
        }
      });
    });
  });
