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
import type { Sql, SqlDatabase } from "../query/database.ts";
import { idsValue } from "../query/slices.ts";
import type { Statement } from "../query/statement.ts";
import { type EndedSaleRow, type EntryRow, type HistoryRow, reversalStatements, type SaleRow } from "./statements.ts";

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
  const statements = reversalStatements(db);
  const steps = rowSteps(db, parts);
  const audit = auditTrail(db);
  const listed = listing(db);

  const trailsIn = async (
    tx: Sql,
    { change, scope }: Part,
    wanted: readonly number[],
  ): Promise<readonly VehicleTrail[]> => {
    const since = timestampAt(msOf(change.at) - CLOCK_MARGIN_MS);
    const values = { ids: idsValue(wanted), scope, since, change: change.id };
    const read = <Found>({ all, scoped }: { readonly all: Statement<Found>; readonly scoped: Statement<Found> }) =>
      tx.all(scope === null ? all : scoped, values);
    await read(statements.locked);
    const present = (await read(statements.documents)).map(({ document }) => JSON.parse(document) as Vehicle);
    const { ids, read: readable } = vehiclesAtOnce(await read(statements.counted));
    values.ids = idsValue(readable);
    const entries = Map.groupBy(await read(statements.entries), ({ resource_id }) => resource_id);
    const own = (await read(statements.history)).filter((row) => changeIdOf(row) === change.id);
    const sales = await read(statements.sales);
    const ended = await read(statements.endedSales);
    const replaced = await read(statements.replaced);
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

  /** Makes a pair of the change and its reversal, and takes their prices out of all figures. */
  const pair = async (
    tx: Sql,
    { change, by }: Part,
    { id, dealer, fields }: { readonly id: number; readonly dealer: number; readonly fields: readonly string[] },
  ): Promise<void> => {
    const reversal = by.change?.id ?? null;
    const isOfPair = (row: HistoryRow): boolean =>
      fields.includes(row.field) && [change.id, reversal].includes(changeIdOf(row));
    const since = timestampAt(msOf(change.at) - CLOCK_MARGIN_MS);
    for (const row of (await tx.all(statements.history.scoped, { ids: idsValue([id]), since, scope: dealer })).filter(
      isOfPair,
    )) {
      const { at, field, old_value, new_value } = row;
      await tx.all(statements.pair, { id, at, field, dealer, reversal });
      if (field === "price" && Number(new_value) < Number(old_value))
        await tx.all(statements.uncountDrop, { dealer, at });
    }
    if (fields.includes("price")) await tx.all(statements.formerPrice, { id, dealer });
  };

  /** Enters again what somebody had entered of the sale. */
  const enterSale = async (
    tx: Sql,
    { now, by }: { readonly now: Timestamp; readonly by: Actor },
    { vehicle, shown, sale }: { readonly vehicle: Vehicle; readonly shown: Fields; readonly sale: Reversal["sale"] },
  ): Promise<void> => {
    const { id, dealer_id: dealer } = vehicle;
    const before = { sold_price: shown.sold_price as number | null, note: shown.note as string | null };
    const after = { ...before, ...sale };
    await tx.all(statements.enterSale, { id, dealer, sold_cents: centsIn(after.sold_price), note: after.note });
    const recordName = recordNameIn("vehicles", { ...vehicle });
    await audit(tx, {
      ...{ at: now, by, action: "vehicle.sale_changed", resourceId: id, dealerId: dealer, recordName },
      before: Object.fromEntries(Object.keys(sale).map((name) => [name, before[name as keyof EnteredSale]])),
      after: sale,
    });
  };

  const stepIn = (tx: Sql, part: Part, rows: Parameters<Parameters<ReturnType<typeof steps.join>["within"]>[1]>[0]) => {
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
          await tx.all(statements.resumeSale, { id, dealer, sold_cents: centsIn(sold_price), first_cents, note });
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
          await tx.all(statements.reverted, { change: change.id, dealer, at, reversal });
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
