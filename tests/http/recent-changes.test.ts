import { describe, expect, test } from "bun:test";
import { CONTEXT_COLUMN_NAMES, RECORD_COLUMN_NAMES } from "../../adapters/sql/audit/trail.ts";
import type { AuditEntry } from "../../core/audit/audit-entry.ts";
import type { BulkAnswer } from "../../core/bulk/bulk.ts";
import type { RecentChange } from "../../core/recent-changes/recent-change.ts";
import type { RevertAnswer } from "../../core/recent-changes/recent-changes.ts";
import { MOST_ENTRIES } from "../../core/recent-changes/reversal.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { type CreatedKey, create, dealerBody, keyBody, NORTH, SOUTH, vehicleBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface Page {
  readonly data: readonly RecentChange[];
  readonly meta: { readonly next_cursor: string | null };
}

const WHOLE_TEXT = 1000;
const ENTRY_COLUMNS = [...CONTEXT_COLUMN_NAMES, ...RECORD_COLUMN_NAMES].map((name) => `"${name}"`).join(", ");
const TIMES = ["updated_at", "days_on_lot"];
const withoutTimes = (vehicle: Vehicle): object =>
  Object.fromEntries(Object.entries(vehicle).filter(([name]) => !TIMES.includes(name)));

for (const engine of ENGINES)
  describe(`recent changes on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const newVehicle = (dealer: number, fields: object = {}) =>
      create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(dealer, { price: 1000, ...fields }));
    const vehicleOf = async (id: number): Promise<Vehicle> =>
      (await fixture.api<Vehicle>("GET", `/api/vehicles/${id}`)).body;
    const change = async (ids: readonly number[], changes: object): Promise<string> => {
      const { body } = await fixture.api<BulkAnswer>("POST", "/api/vehicles/bulk", { body: { ids, changes } });
      return body.change_id ?? "";
    };
    const put = async (path: string, body: object): Promise<void> =>
      expectReply(await fixture.api("PUT", path, { body }), { status: 200 });
    const revert = (id: string, key?: string) =>
      fixture.api<RevertAnswer>("POST", `/api/recent-changes/${id}/revert`, key === undefined ? {} : { key });
    const outcomesOf = ({ body }: { readonly body: RevertAnswer }) =>
      body.results.map(({ outcome, fields }) => [outcome, ...fields]);
    const listed = async (query = "", key?: string) =>
      (await fixture.api<Page>("GET", `/api/recent-changes${query}`, key === undefined ? {} : { key })).body;
    const keyOf = async (dealer: number, ...more: string[]): Promise<string> =>
      (
        await create<CreatedKey>(
          fixture.api,
          "/api/keys",
          keyBody({ dealer_id: dealer, permissions: pairs("vehicles:read", "vehicles:write", ...more) }),
        )
      ).api_key;
    const figuresOf = async (dealer: number, id: number): Promise<object> => {
      const {
        changes: _,
        meta: __,
        ...history
      } = (await fixture.api<{ changes: unknown; meta: unknown }>("GET", `/api/vehicles/${id}/history`)).body;
      const report = (await fixture.api("GET", `/api/dealers/${dealer}/report`)).body;
      const statistics = (await fixture.api<object>("GET", `/api/dealers/${dealer}/stats`)).body;
      return {
        vehicle: withoutTimes(await vehicleOf(id)),
        history,
        report,
        statistics: { ...statistics, timestamp: null },
      };
    };

    /** Repeats an entry of a vehicle about its trim: as if somebody had changed that so often. */
    const changeOften = async (id: number, times: number): Promise<void> => {
      await put(`/api/vehicles/${id}`, { trim: "SE" });
      const db = connect(fixture.service.databaseUrl);
      await db.migrate(async (run) => {
        await run(`INSERT INTO audit_entries (${ENTRY_COLUMNS})
          WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${times})
          SELECT ${ENTRY_COLUMNS} FROM (SELECT * FROM audit_entries WHERE resource = 'vehicles' AND resource_id = ${id}
            ORDER BY id DESC LIMIT 1) AS latest CROSS JOIN numbers`);
      });
      await db.close();
    };

    test("looks at a bounded number of entries at once, and keeps what was changed more often than that", async () => {
      const dealer = await newDealer();
      const [one, two, often] = [await newVehicle(dealer), await newVehicle(dealer), await newVehicle(dealer)];
      const id = await change([one.id, two.id, often.id], { price: 900 });
      for (const vehicle of [one, two]) await changeOften(vehicle.id, 0.6 * MOST_ENTRIES);
      await changeOften(often.id, MOST_ENTRIES);
      expect(outcomesOf(await revert(id))).toEqual([["reverted", "price"], ["reverted", "price"], ["changed_since"]]);
      const prices = await Promise.all([one, two, often].map(async (vehicle) => (await vehicleOf(vehicle.id)).price));
      expect(prices).toEqual([1000, 1000, 900]);
    });

    const CHANGES: readonly (readonly [name: string, before: object, changes: object, fields: readonly string[]])[] = [
      ["a lower price", {}, { price: { percent: -3 } }, ["price"]],
      ["a higher price", {}, { price: { add: 500 } }, ["price"]],
      ["a sale with its price", {}, { status: "sold", sold_price: 900 }, ["status", "sold_price"]],
      ["the end of a sale", { status: "sold", sold_price: 950 }, { status: "available" }, ["status"]],
      ["a status that takes a stage away", { stage: "in_prep" }, { status: "pending" }, ["status", "stage"]],
      ["the price of a sale", { status: "sold", sold_price: 950 }, { status: "sold", sold_price: 900 }, ["sold_price"]],
      ["a long text", { description: "long ".repeat(WHOLE_TEXT) }, { description: "short" }, ["description"]],
    ];
    for (const [name, before, changes, fields] of CHANGES)
      test(`${name} and its reversal leave every figure as it was`, async () => {
        const dealer = await newDealer();
        const { id } = await newVehicle(dealer, before);
        await put(`/api/vehicles/${id}`, { price: 990 });
        const untouched = await figuresOf(dealer, id);
        const reverted = await revert(await change([id], changes));
        expect(outcomesOf(reverted)).toEqual([["reverted", ...fields]]);
        expect(await figuresOf(dealer, id)).toEqual(untouched);
      });

    test("are reverted one after the other, the last first", async () => {
      const dealer = await newDealer();
      const { id } = await newVehicle(dealer);
      const untouched = await figuresOf(dealer, id);
      const first = await change([id], { price: 900 });
      const second = await change([id], { price: 800 });
      expect(outcomesOf(await revert(first))).toEqual([["changed_since"]]);
      expect(outcomesOf(await revert(second))).toEqual([["reverted", "price"]]);
      expect(await vehicleOf(id)).toMatchObject({ price: 900, previous_price: 1000 });
      expect(outcomesOf(await revert(first))).toEqual([["reverted", "price"]]);
      expect(await figuresOf(dealer, id)).toEqual(untouched);
    });

    test("keep what somebody changed since, also if it was changed back, and change nothing the second time", async () => {
      const { id } = await newVehicle(NORTH);
      const named = await change([id], { price: 900, featured: true });
      await put(`/api/vehicles/${id}`, { price: 800 });
      await put(`/api/vehicles/${id}`, { price: 900 });
      const reverted = await revert(named);
      expect(outcomesOf(reverted)).toEqual([["reverted", "featured"]]);
      expect(await vehicleOf(id)).toMatchObject({ price: 900, featured: 0 });
      const { body } = await fixture.api<readonly object[]>("GET", `/api/audit?resource=vehicles&id=${id}`);
      expect(body).toMatchObject([
        { change_id: reverted.body.change_id, reverts: named },
        {},
        {},
        { change_id: named },
        {},
      ]);
      expect(outcomesOf(await revert(named))).toEqual([["unchanged"]]);
      const whole = await change([id], { price: 700 });
      await revert(whole);
      const again = await revert(whole);
      expectReply(again, { status: 200 });
      expect(again.body).toMatchObject({ change_id: null, results: [{ id, outcome: "unchanged", fields: [] }] });
    });

    test("keep the sale that somebody entered since", async () => {
      const { id } = await newVehicle(NORTH);
      const sold = await change([id], { status: "sold" });
      await put(`/api/vehicles/${id}/sale`, { sold_price: 900 });
      expect(outcomesOf(await revert(sold))).toEqual([["changed_since"]]);
      expect(await vehicleOf(id)).toMatchObject({ status: "sold" });
    });

    test("name each other in the history", async () => {
      const { id } = await newVehicle(NORTH);
      const named = await change([id], { price: 900 });
      const { change_id } = (await revert(named)).body;
      const { body } = await fixture.api<{ changes: object[] }>("GET", `/api/vehicles/${id}/history`, {
        key: await keyOf(NORTH),
      });
      expect(body.changes).toMatchObject([
        { change_id, reverts: named, reverted_by: null },
        { change_id: named, reverts: null, reverted_by: change_id },
      ]);
    });

    test("are listed newest first with cursors, for each dealer its own, and say whether they can be reverted", async () => {
      const [one, other] = [await newDealer(), await newDealer()];
      const [mine, theirs] = [await newVehicle(one), await newVehicle(other)];
      const both = await change([mine.id, theirs.id], { price: 900 });
      await revert(both, await keyOf(one));
      const removal = await fixture.api<BulkAnswer>("POST", "/api/vehicles/bulk", {
        body: { ids: [theirs.id], remove: true },
      });
      const own = await listed("", await keyOf(one));
      expect(own.data).toMatchObject([
        { kind: "reversal", revertible: false, reverts: both, vehicles: 1, fields: ["price"], by: { type: "key" } },
        {
          id: both,
          kind: "bulk",
          revertible: true,
          vehicles: 1,
          fields: ["price"],
          by: { type: "operator" },
          vehicle_id: mine.id,
        },
      ]);
      expect(own.data[1]?.reverted_at).not.toBeNull();
      expect((await listed(`?dealer_id=${other}`, await keyOf(one))).data).toEqual(own.data);
      const first = await listed(`?dealer_id=${other}&limit=1`);
      expect(first.data).toMatchObject([{ id: removal.body.change_id, kind: "removal", revertible: false }]);
      const second = await listed(`?dealer_id=${other}&limit=1&cursor=${first.meta.next_cursor}`);
      expect(second).toMatchObject({ data: [{ id: both, reverted_at: null }], meta: { next_cursor: null } });
      expect((await listed("?limit=3")).data).toMatchObject([{}, {}, { id: both, vehicles: 2, by: { type: "key" } }]);
      expectReply(await revert(removal.body.change_id ?? ""), { status: 409, code: "not_revertible" });
      expectReply(await revert(own.data[0]?.id ?? ""), { status: 409, code: "not_revertible" });
    });

    test("are filtered in the audit log by change_id, to a dealer only as far as they are its own", async () => {
      const [one, other] = [await newDealer(), await newDealer()];
      const ids = [(await newVehicle(one)).id, (await newVehicle(other)).id];
      const named = await change(ids, { price: 900, featured: true });
      await change(ids, { price: 800 });
      const key = await keyOf(one, "audit:read");
      const found = async (query: string, by?: string) => {
        const { body } = await fixture.api<AuditEntry[]>("GET", `/api/audit?${query}`, by ? { key: by } : {});
        expect(body.filter(({ change_id }) => change_id !== named)).toEqual([]);
        return body.map(({ resource_id }) => resource_id).sort();
      };
      const [mine, theirs] = ids;
      expect(await found(`change_id=${named}`)).toEqual(ids);
      expect(await found(`change_id=${named}&dealer_id=${other}`)).toEqual([theirs ?? 0]);
      expect(await found(`change_id=${named}`, key)).toEqual([mine ?? 0]);
      expect(await found(`change_id=${named}&resource=vehicles&id=${theirs}`, key)).toEqual([]);
      expect(await found("change_id=nowhere")).toEqual([]);
      const exported = await fixture.api("GET", `/api/audit/export?format=ndjson&change_id=${named}`, { key });
      expect(exported.headers.get("x-total-count")).toBe("1");
      expectReply(await fixture.api("GET", `/api/audit?change_id=${"1".repeat(101)}`), {
        status: 400,
        faults: ["change_id"],
      });
    });

    test("of another dealer are as if they were not there", async () => {
      const { id } = await newVehicle(SOUTH);
      const named = await change([id], { price: 900 });
      const key = await keyOf(NORTH);
      expectReply(await revert(named, key), { status: 404, code: "not_found" });
      expectReply(await revert("nowhere", key), { status: 404, code: "not_found" });
      expect((await listed("", key)).data.map((one) => one.id)).not.toContain(named);
      expect(await vehicleOf(id)).toMatchObject({ price: 900 });
    });

    test("of a removed or moved vehicle, or of a batch that created it, say so", async () => {
      const [gone, moved] = [await newVehicle(NORTH), await newVehicle(NORTH)];
      const named = await change([gone.id, moved.id], { price: 900 });
      await fixture.api("DELETE", `/api/vehicles/${gone.id}`);
      await put(`/api/vehicles/${moved.id}`, { dealer_id: SOUTH });
      expect(outcomesOf(await revert(named, await keyOf(NORTH)))).toEqual([["not_found"], ["not_found"]]);
      expect(outcomesOf(await revert(named))).toEqual([["not_found"], ["changed_since"]]);
      const items = [
        { ...vehicleBody(NORTH), stock_number: "R1" },
        { ...vehicleBody(NORTH), stock_number: "R2" },
      ];
      const created = await fixture.api<{ change_id: string }>("POST", "/api/vehicles/batch", {
        body: { items: [items[0]] },
      });
      expectReply(await revert(created.body.change_id), { status: 409, code: "not_revertible" });
      const mixed = await fixture.api<{ change_id: string }>("POST", "/api/vehicles/batch", {
        body: { items: [{ ...items[0], price: 1 }, items[1]] },
      });
      expect(outcomesOf(await revert(mixed.body.change_id))).toEqual([["reverted", "price"], ["unchanged"]]);
    });
  });
