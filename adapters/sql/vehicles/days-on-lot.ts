import { type RawBuilder, sql } from "kysely";
import type { Timestamp } from "../../../core/clock.ts";
import type { Engine } from "../../../migrations/migration.ts";
import { LISTED_AT } from "./columns.ts";

const DAY_MS = 86_400_000;

/** A timestamp in whole milliseconds. They are exact, unlike a number of days with a fraction. */
const MS: Readonly<Record<Engine, (moment: RawBuilder<string>) => RawBuilder<number>>> = {
  sqlite: (moment) => sql`(unixepoch(${moment}) * 1000 + CAST(substr(${moment}, 21, 3) AS INTEGER))`,
  postgres: (moment) => sql`CAST(EXTRACT(EPOCH FROM CAST(${moment} AS TIMESTAMPTZ)) * 1000 AS BIGINT)`,
};

/** The time when a vehicle was listed, in whole milliseconds. SQLite has an index with the same expression. */
export const listedMs = (engine: Engine): RawBuilder<number> => MS[engine](LISTED_AT);

/**
 * The time when a vehicle was listed, and any other timestamp, in the form that the index of vehicles on the lot uses.
 */
export const LISTED_INDEX: Readonly<
  Record<
    Engine,
    { readonly listed: RawBuilder<string | number>; readonly form: (moment: Timestamp) => string | number }
  >
> = {
  sqlite: { listed: listedMs("sqlite"), form: (moment) => Date.parse(moment) },
  postgres: { listed: LISTED_AT, form: (moment) => moment },
};

/**
 * The whole days of 24 hours from a vehicle's listing to its sale, or to `now` if it is not sold; never below 0. It is
 * the same number on both engines. If the date of the sale is unknown, the vehicle's last change counts as the sale.
 */
export const daysOnLot = (engine: Engine, now: RawBuilder<string>): RawBuilder<number> => {
  const end = sql<string>`(CASE WHEN vehicles.status = 'sold' THEN COALESCE(vehicles.sold_at, vehicles.updated_at) ELSE ${now} END)`;
  const days = sql`(${MS[engine](end)} - ${listedMs(engine)}) / ${sql.lit(DAY_MS)}`;
  return sql<number>`(CASE WHEN ${end} > ${LISTED_AT} THEN ${days} ELSE 0 END)`;
};
