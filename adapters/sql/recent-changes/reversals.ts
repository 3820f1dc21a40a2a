import { sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Actor } from "../../../core/access/principal.ts";
import { recordNameIn } from "../../../core/audit/actions.ts";
import { msOf, type Timestamp, timestampAt } from "../../../core/clock.ts";
import { type ChangeActor, HISTORY_FIELDS } from "../../../core/history/change.ts";
import type { RecentChangeRepository, ReversalStep } from "../../../core/recent-changes/recent-change-repository.ts";
import {
  type EndedSale,
  type EnteredSale,
  type Reversal,
  type TrailEntry,
  type VehicleTrail,
  vehiclesAtOnce,
} from "../../../core/recent-changes/reversal.ts";
import { comparedBy, duplicateIds } from "../../../core/vehicles/duplicates.ts";
import { centsOf, type Vehicle } from "../../../core/vehicles/vehicle.ts";
import { listedValues, listing } from "../audit/change-list.ts";
import { entryFields } from "../audit/entry-fields.ts";
import { auditTrail } from "../audit/trail.ts";
import { rowSteps } from "../imports/row-steps.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { idsValue } from "../query/slices.ts";
import type { Statement } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";
import {
  type EndedSaleRow,
  type EntryRow,
  type HistoryRow,
  reversalReads,
  type SaleRow,
  type Sought,
} from "./statements.ts";

/** Clocks of several instances may differ by so much. */
const CLOCK_MARGIN_MS = 60 * 60_000;

type Fields = Readonly<Record<string, unknown>>;
const fieldsIn = (json: string | null): Fields | null => (json === null ? null : (JSON.parse(json) as Fields));

const unitsOf = (cents: number | null): number | null => (cents === null ? null : cents / 100);
const centsIn = (price: number | null): number | null => (price === null ? null : centsOf(price));

const entryOf = (row: EntryRow): TrailEntry => ({
  id: row.id,
  changeId: row.change_id,
  reverts: row.reverts,
  dealerId: row.dealer_id,
  before: fieldsIn(row.before),
  after: fieldsIn(row.after),
});

const changeIdOf = ({ actor }: HistoryRow): string | null =>
  actor === null ? null : ((JSON.parse(actor) as ChangeActor).changeId ?? null);

const saleOf = (sale: Pick<SaleRow, "sold_cents" | "note"> | undefined): EnteredSale => ({
  sold_price: unitsOf(sale?.sold_cents ?? null),
  note: sale?.note ?? null,
});

const endedSaleOf = (sale: EndedSaleRow | undefined): EndedSale | null =>
  sale === undefined ? null : { ...saleOf(sale), sold_at: sale.sold_at, firstCents: sale.first_cents };

/** Which part of a reversal is made, and for whom. */
type Part = Parameters<RecentChangeRepository["revertPart"]>[0];

/** Reverts parts of changes, in SQL; see the port for what it guarantees. */
export const makeReversals = (
  db: SqlDatabase,
  parts: Parameters<typeof rowSteps>[1],
): RecentChangeRepository["revertPart"] => {
  const reads = reversalReads(db);
  const steps = rowSteps(db, parts);
  const audit = auditTrail(db);
  const listed = listing(db);

  const trailsIn = async (
    tx: Tx,
    { change, scope }: Part,
    wanted: readonly number[],
  ): Promise<readonly VehicleTrail[]> => {
    const since = timestampAt(msOf(change.at) - CLOCK_MARGIN_MS);
    const values = { ids: idsValue(wanted), scope, since, change: change.id };
    const read = <Found>(statement: (scope: DealerScope) => Statement<Found, Sought>) =>
      tx.all(statement(scope), values);
    await read(reads.locked);
    const present = (await read(reads.documents)).map(({ document }) => JSON.parse(document) as Vehicle);
    const { ids, read: readable } = vehiclesAtOnce(await read(reads.counted));
    values.ids = idsValue(readable);
    const entries = Map.groupBy(await read(reads.entries), ({ resource_id }) => resource_id);
    const own = (await read(reads.history)).filter((row) => changeIdOf(row) === change.id);
    const sales = await read(reads.sales);
    const ended = await read(reads.endedSales);
    const replaced = await read(reads.replaced);
    return ids.map((id) => {
      const vehicle = present.find((one) => one.id === id) ?? null;
      const changed = own.filter(({ vehicle_id }) => vehicle_id === id);
      const sold = sales.find(({ vehicle_id }) => vehicle_id === id);
      const clearedStage = changed.find(({ field, new_value }) => field === "stage" && new_value === null)?.old_value;
      const unsoldAt = changed.filter(({ field }) => field === "status").map(({ at }) => at);
      return {
        id,
        present: vehicle,
        shown: JSON.parse(entryFields({ ...vehicle, ...saleOf(sold) })) as Fields,
        entries: readable.includes(id) ? (entries.get(id) ?? []).map(entryOf) : null,
        replaced: fieldsIn(replaced.find(({ vehicle_id }) => vehicle_id === id)?.before ?? null) ?? {},
        clearedStage: (clearedStage ?? null) as Vehicle["stage"],
        endedSale: endedSaleOf(ended.find(({ vehicle_id, at }) => vehicle_id === id && unsoldAt.includes(at))),
      };
    });
  };

  /** The former price and its date, as the changes that count tell them. */
  const restoreFormerPrice = (tx: Tx, id: number, dealer: number) =>
    sql`UPDATE vehicles SET (previous_price_cents, price_changed_at) = (
        SELECT CAST(old_value AS BIGINT), at FROM vehicle_history
        WHERE vehicle_id = ${id} AND field = 'price' AND dealer_id = ${dealer}
          AND at > COALESCE((SELECT MAX(at) FROM vehicle_history
            WHERE vehicle_id = ${id} AND field = 'dealer_id'), '')
        ORDER BY at DESC LIMIT 1)
      WHERE id = ${id} AND dealer_id = ${dealer}`.execute(tx);

  /** Makes a pair of the change and its reversal, and takes their prices out of all figures. */
  const pair = async (
    tx: Tx,
    { change, by }: Part,
    { id, dealer, fields }: { readonly id: number; readonly dealer: number; readonly fields: readonly string[] },
  ): Promise<void> => {
    const reversal = by.change?.id ?? null;
    const isOfPair = (row: HistoryRow): boolean =>
      fields.includes(row.field) && [change.id, reversal].includes(changeIdOf(row));
    const since = timestampAt(msOf(change.at) - CLOCK_MARGIN_MS);
    const sought = { ids: idsValue([id]), since, scope: dealer, change: change.id };
    for (const row of (await tx.all(reads.history(dealer), sought)).filter(isOfPair)) {
      const { at, field, old_value, new_value } = row;
      // From now on, neither figures nor the first price count the change.
      await tx
        .updateTable("vehicle_history")
        .set(({ ref }) => ({ pair_dealer_id: ref("dealer_id"), dealer_id: null, reverted_by: reversal }))
        .where("vehicle_id", "=", id)
        .where("at", "=", at)
        .where("field", "=", field)
        .where("dealer_id", "=", dealer)
        .execute();
      if (field === "price" && Number(new_value) < Number(old_value))
        await sql`INSERT INTO daily_figures (dealer_id, day, price_drops) VALUES (${dealer}, ${at.slice(0, 10)}, -1)
          ON CONFLICT (dealer_id, day) DO UPDATE SET price_drops = daily_figures.price_drops - 1`.execute(tx);
    }
    if (fields.includes("price")) await restoreFormerPrice(tx, id, dealer);
  };

  /** Changes the sale that stands. */
  const setSale = (
    tx: Tx,
    { id, dealer_id }: Vehicle,
    sale: Partial<Pick<Row<"vehicle_sales">, "sold_cents" | "first_cents" | "note">>,
  ) =>
    tx
      .updateTable("vehicle_sales")
      .set(sale)
      .where("vehicle_id", "=", id)
      .where("dealer_id", "=", dealer_id)
      .where("present", "=", 1)
      .execute();

  /** Enters again what somebody had entered of the sale. */
  const enterSale = async (
    tx: Tx,
    { now, by }: { readonly now: Timestamp; readonly by: Actor },
    { vehicle, shown, sale }: { readonly vehicle: Vehicle; readonly shown: Fields; readonly sale: Reversal["sale"] },
  ): Promise<void> => {
    const { id, dealer_id: dealer } = vehicle;
    const before = { sold_price: shown.sold_price as number | null, note: shown.note as string | null };
    const after = { ...before, ...sale };
    await setSale(tx, vehicle, { sold_cents: centsIn(after.sold_price), note: after.note });
    const recordName = recordNameIn("vehicles", { ...vehicle });
    await audit(tx, {
      ...{ at: now, by, action: "vehicle.sale_changed", resourceId: id, dealerId: dealer, recordName },
      before: Object.fromEntries(Object.keys(sale).map((name) => [name, before[name as keyof EnteredSale]])),
      after: sale,
    });
  };

  const stepIn = (tx: Tx, part: Part, rows: Parameters<Parameters<ReturnType<typeof steps.join>["within"]>[1]>[0]) => {
    const { change, now, by } = part;
    const marked = new Set<number>();
    const step: ReversalStep = {
      trails: (ids) => trailsIn(tx, part, ids),
      async revert({ present: vehicle, shown }, { changes, sale, fields, resumedSale }, unique) {
        if (vehicle === null) return false;
        const { id, dealer_id: dealer } = vehicle;
        const after = comparedBy({ ...vehicle, ...changes }, unique);
        if (unique.length > 0 && duplicateIds(await rows.reads.refusedDuplicates(after, id)).length > 0) return false;
        const isVehicleChanged = Object.keys(changes).length > 0;
        if (isVehicleChanged) await rows.vehicles.update({ id, scope: dealer, changes, now, versions: null, by });
        if (resumedSale !== null) {
          const { firstCents: first_cents, sold_price, note } = resumedSale;
          await setSale(tx, vehicle, { sold_cents: centsIn(sold_price), first_cents, note });
        }
        if (Object.keys(sale).length > 0) {
          await enterSale(tx, { now, by }, { vehicle, shown, sale });
          const ofChange = isVehicleChanged
            ? null
            : listedValues({ by, resource: "vehicles", fields: Object.keys(sale) });
          if (ofChange !== null) await listed(tx, ofChange, { resource_id: id, dealer_id: dealer });
        }
        if (HISTORY_FIELDS.some((field) => fields.includes(field))) await pair(tx, part, { id, dealer, fields });
        if (!marked.has(dealer)) {
          const { id: reversal = null, at = now } = by.change ?? {};
          await tx
            .updateTable("recent_changes")
            .set({ reverted_at: at, reverted_by: reversal })
            .where("id", "=", change.id)
            .where("dealer_id", "=", dealer)
            .execute();
          marked.add(dealer);
        }
        return true;
      },
    };
    return step;
  };

  return (part, work) => {
    const own = steps.join();
    return db.write((tx) => own.within(tx, (rows) => work(stepIn(tx, part, rows))));
  };
};
