import { msOf } from "../../../core/clock.ts";
import type { LeftOutReason } from "../../../core/feeds/feed-repository.ts";
import { AS_STORED, type ShownAddresses } from "../../../core/images/own-address.ts";
import type { ImportProgress } from "../../../core/imports/import-repository.ts";
import type { AgeSum, DealerNow, TodayRepository } from "../../../core/today/today-repository.ts";
import { visibilityValues } from "../access/visibility.ts";
import type { SqlDatabase } from "../query/database.ts";
import { readerByCost } from "../query/reader-by-cost.ts";
import type { Values } from "../query/statement.ts";
import { LISTED_INDEX } from "../vehicles/days-on-lot.ts";
import { todayStatements } from "./statements.ts";

/** The time to look for the images of a vehicle, in µs. */
const MICROSECONDS_PER_VEHICLE = 2;
const MOST_FEEDS = 20;
/** So many counts are kept, of a few bytes each. */
const MOST_KEPT = 10_000;
const NONE: AgeSum = { vehicles: 0, ms: 0 };

/** Why most vehicles were left out, unless it is of an earlier count: the version before counts without it. */
const reasonIn = (kept: string | null, countedState: string | null): LeftOutReason | null => {
  if (kept === null) return null;
  const { state, ...reason } = JSON.parse(kept) as LeftOutReason & { readonly state: string };
  return state === countedState ? reason : null;
};

/** What is on a dealer's lot today, in SQL; see the port for what it guarantees. */
export const makeTodayRepository = (db: SqlDatabase, shown: ShownAddresses = AS_STORED): TodayRepository => {
  const statements = todayStatements(db);
  const readerByVehicles = readerByCost(db);
  const { form } = LISTED_INDEX[db.engine];
  const valuesOf = ({ scope, dealerId }: DealerNow): Values => ({
    dealer: dealerId,
    ...(scope !== null && { scope }),
  });
  const readerFor = ({ dealerId }: DealerNow) => readerByVehicles(dealerId, MICROSECONDS_PER_VEHICLE);
  const counted = new Map<string, { readonly mark: number; readonly vehicles: number }>();

  return {
    lot: async (of) => db.first(statements.lot(of.scope), { ...valuesOf(of), nowMs: msOf(of.now) }),

    async listedAfter(of, moment) {
      const values = { ...valuesOf(of), nowMs: msOf(of.now), after: form(moment) };
      return (await db.first(statements.listedAfter(of.scope), values)) ?? NONE;
    },

    async soldAfter(of, moment) {
      const values = { ...valuesOf(of), after: moment, afterMs: msOf(moment) };
      return (await db.first(statements.soldAfter(of.scope), values)) ?? NONE;
    },

    async withoutImages(of, mark) {
      const key = `${of.scope} ${of.dealerId}`;
      const kept = counted.get(key);
      if (kept?.mark === mark) return kept.vehicles;
      const [found] = await (await readerFor(of)).all(statements.withoutImages(of.scope), valuesOf(of));
      const vehicles = found?.vehicles ?? 0;
      if (counted.size >= MOST_KEPT) counted.clear();
      // What is counted may be newer than the mark. Then the dealer has another mark by now.
      counted.set(key, { mark, vehicles });
      return vehicles;
    },

    async listedWithin(of, periods, most) {
      const moments = periods.flatMap(({ after, to }, place) => [
        [`after${place}`, form(after)] as const,
        [`to${place}`, form(to)] as const,
      ]);
      const values = { ...valuesOf(of), ...Object.fromEntries(moments), most };
      const rows = await db.all(statements.listedWithin(periods.length)(of.scope), values);
      return {
        total: rows[0]?.total ?? 0,
        items: rows.map(({ total: _, image_url, ...vehicle }) => ({
          ...vehicle,
          image_url: image_url === null ? null : shown(image_url),
        })),
      };
    },

    async soldWithoutPrice(of, sought) {
      const values = { ...valuesOf(of), ...sought };
      const rows = await db.all(statements.soldWithoutPrice(of.scope), values);
      return { total: rows[0]?.total ?? 0, items: rows.map(({ id }) => id) };
    },

    async repriced(of, most) {
      const found = new Map<number, { readonly id: number; readonly price: number; readonly said: number[] }>();
      for (const { id, cents, said } of await db.all(statements.repriced(of.scope), { ...valuesOf(of), most })) {
        const vehicle = found.get(id) ?? { id, price: cents / 100, said: [] };
        vehicle.said.push(said);
        found.set(id, vehicle);
      }
      return [...found.values()];
    },

    async feeds(of) {
      const rows = await db.all(statements.feeds(of.scope), { ...valuesOf(of), most: MOST_FEEDS });
      return rows.map(({ counted_state, reason: kept, ...feed }) => ({
        ...feed,
        reason: reasonIn(kept, counted_state),
      }));
    },

    async lastImport(of) {
      const row = await db.first(statements.lastImport(of.scope), valuesOf(of));
      if (row === null) return null;
      const { done, counts } = JSON.parse(row.progress) as ImportProgress;
      return { id: row.id, rows: done, failed: counts.failed };
    },

    async keys(of, visibility, first) {
      const values = { ...valuesOf(of), ...visibilityValues(visibility), visibleDealer: of.dealerId, first };
      return db.all(statements.keys(visibility)(of.scope), values);
    },
  };
};
