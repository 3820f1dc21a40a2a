import { type RawBuilder, sql } from "kysely";
import type { ChangeActor, StoredChange } from "../../../core/history/change.ts";
import type { HistoryRepository } from "../../../core/history/history-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { readerByRowCount } from "../query/reader-by-row-count.ts";
import { param, type Statement, shapeCache, sqlStatement } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";

type HistoryRow = Omit<Row<"vehicle_history">, "vehicle_id" | "dealer_id" | "pair_dealer_id">;

interface Facts {
  readonly total: number;
  readonly first_cents: number | null;
  readonly drops: number;
  readonly first_dealer: number | null;
  readonly arrived_at: string | null;
  readonly begun_at: string | null;
}

const changeOf = ({ actor, ...row }: HistoryRow): StoredChange => ({
  ...row,
  actor: actor === null ? null : (JSON.parse(actor) as ChangeActor),
});

const OF_VEHICLE = sql`vehicle_id = ${param("vehicleId")}`;
const MOVED = sql`${OF_VEHICLE} AND field = 'dealer_id'`;
/** The condition for changes of the price since the vehicle came to its present dealer. */
const REPRICED = sql`${OF_VEHICLE} AND field = 'price' AND dealer_id = ${param("dealerId")}
  AND at > COALESCE((SELECT MAX(at) FROM vehicle_history WHERE ${MOVED}), '')`;

const cents = (value: RawBuilder<unknown>): RawBuilder<number> => sql`CAST(${value} AS BIGINT)`;

/** The facts that are derived from the changes. */
const FACTS = {
  first_cents: sql`(SELECT ${cents(sql`old_value`)} FROM vehicle_history WHERE ${REPRICED} ORDER BY at LIMIT 1)`,
  drops: sql`(SELECT COUNT(*) FROM vehicle_history
    WHERE ${REPRICED} AND ${cents(sql`new_value`)} < ${cents(sql`old_value`)})`,
  first_dealer: sql`(SELECT ${cents(sql`old_value`)} FROM vehicle_history WHERE ${MOVED} ORDER BY at LIMIT 1)`,
  arrived_at: sql`(SELECT at FROM vehicle_history
    WHERE ${MOVED} AND new_value = ${param("dealer")} ORDER BY at LIMIT 1)`,
  begun_at: sql`(SELECT at FROM history_begin)`,
};

/** Histories in SQL; see the port for what it guarantees. */
export const makeHistoryRepository = (db: SqlDatabase): HistoryRepository => {
  const pages = shapeCache<Statement<HistoryRow>>();
  const facts = shapeCache<Statement<Facts>>();
  const readerByRows = readerByRowCount(db, "vehicle_history");

  const matching = (isScoped: boolean, isOfField: boolean) => {
    // A change made together with a move belongs to neither dealer; both see the move itself.
    const seen = isScoped
      ? sql` AND (dealer_id = ${param("scope")} OR pair_dealer_id = ${param("scope")}
          OR (field = 'dealer_id' AND (old_value = ${param("dealer")} OR new_value = ${param("dealer")})))`
      : sql``;
    return sql`${OF_VEHICLE}${seen}${isOfField ? sql` AND field = ${param("field")}` : sql``}`;
  };

  return {
    async read({ vehicleId, dealerId, scope, field, page, after }) {
      const matches = () => matching(scope !== null, field !== null);
      const shape = `${scope !== null} ${field !== null}`;
      const listed = pages(`${shape} ${after !== null}`, () =>
        sqlStatement(
          db,
          sql<HistoryRow>`SELECT at, field, old_value, new_value, actor, reverted_by FROM vehicle_history
            WHERE ${matches()}${after === null ? sql`` : sql` AND (at, field) < (${param("afterAt")}, ${param("afterField")})`}
            ORDER BY at DESC, field DESC LIMIT ${param("limit")}${after === null ? sql` OFFSET ${param("offset")}` : sql``}`,
        ),
      );
      const summaryStatement = facts(shape, () => {
        const total = sql`(SELECT COUNT(*) FROM vehicle_history WHERE ${matches()})`;
        const columns = Object.entries({ total, ...FACTS }).map(([name, value]) => sql`${value} AS ${sql.ref(name)}`);
        return sqlStatement(db, sql<Facts>`SELECT ${sql.join(columns)}`);
      });
      const dealer = String(dealerId);
      const position = after === null ? { offset: page.offset } : { afterAt: after.at, afterField: after.field };
      const values = { vehicleId, dealerId, dealer, scope, field, ...position, limit: page.limit + 1 };
      const on = await readerByRows({ column: "vehicle_id", value: vehicleId });
      const rows = await on.all(listed, values);
      const [fact] = await on.all(summaryStatement, values);
      return {
        changes: rows.map(changeOf),
        total: fact?.total ?? 0,
        firstCents: fact?.first_cents ?? null,
        priceDrops: fact?.drops ?? 0,
        firstDealer: fact?.first_dealer ?? null,
        arrivedAt: fact?.arrived_at ?? null,
        begunAt: fact?.begun_at ?? null,
      };
    },
  };
};
