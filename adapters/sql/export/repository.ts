import { sql } from "kysely";
import type { ExportRepository } from "../../../core/export/export-repository.ts";
import type { ExportedVehicle } from "../../../core/export/vehicle-file.ts";
import type { Slice } from "../../../core/long-items.ts";
import type { Sql, SqlDatabase, Values } from "../query/database.ts";
import { param, type Statement, sqlStatement, statementCache } from "../query/statement.ts";
import { conditionOf, type FilterPlan, locatedFilters, rowPlanOf } from "../vehicles/filter-plan.ts";
import { holdSnapshot } from "./held-snapshot.ts";

/** The sizes of what is read at once. */
interface Slicing {
  /** How many vehicles are looked at in one statement. On SQLite others wait as long. */
  readonly step: number;
  /** Vehicles with longer documents or lists of images are read one by one, so that a slice is never long. */
  readonly longBytes: number;
}
const SLICING: Slicing = { step: 150, longBytes: 6000 };

/** A vehicle that was looked at. */
interface WalkedRow {
  readonly id: number;
  readonly created_at: string;
  /** The length of its document; `null` if the filter does not find it. */
  readonly bytes: number | null;
  /** `null` for one that is too long to be read with others. */
  readonly document: string | null;
  /** Cut off behind `longBytes` characters. */
  readonly images: string | null;
}

/** The addresses of a vehicle's images. No address has white space. */
const IMAGES = sql<string | null>`(SELECT string_agg(image_url, ' ' ORDER BY display_order, id) FROM vehicle_images
  WHERE vehicle_id = documents.id)`;

/** Exports in SQL; see the port for what it guarantees. */
export const makeExportRepository = (db: SqlDatabase, { step, longBytes }: Slicing = SLICING): ExportRepository => {
  const located = locatedFilters(db);
  const isLong = ({ bytes, document, images }: WalkedRow): boolean =>
    bytes !== null && (document === null || (images ?? "").length > longBytes);
  const steps = statementCache<WalkedRow>();
  const one = sqlStatement<ExportedVehicle>(
    db,
    sql`SELECT document, ${IMAGES} AS images FROM vehicle_documents AS documents WHERE id = ${param("id")}`,
  );

  /**
   * The next vehicles in the order of one index, whichever the filter finds: so each step costs the same. Of one dealer
   * only that dealer's are looked at.
   */
  const statementOf = (plan: FilterPlan, walk: Values): Statement<WalkedRow> =>
    steps(`${plan.name} ${Object.keys(walk).join()}`, () => {
      const conditions = [
        ...("dealer" in walk ? [sql`dealer_id = ${param("dealer")}`] : []),
        ...("after.id" in walk ? [sql`(created_at, id) < (${param("after.created_at")}, ${param("after.id")})`] : []),
      ];
      const where = conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`;
      const found = plan.where.length === 0 ? sql`id` : sql`CASE WHEN ${conditionOf(plan)} THEN id END`;
      const short = sql`octet_length(document) <= ${sql.lit(longBytes)}`;
      const rows = sql<WalkedRow>`SELECT walked.id, walked.created_at, octet_length(document) AS bytes,
          CASE WHEN ${short} THEN document END AS document, CASE WHEN ${short} THEN substr(${IMAGES}, 1, ${sql.lit(longBytes + 1)}) END AS images
        FROM (SELECT id, created_at, ${found} AS found FROM vehicles ${where}
          ORDER BY created_at DESC, id DESC LIMIT ${sql.lit(step)}) AS walked
        LEFT JOIN vehicle_documents AS documents ON documents.id = walked.found
        ORDER BY walked.created_at DESC, walked.id DESC`;
      return { compile: () => rows.compile(db.build) };
    });

  return {
    *vehicles({ scope, filter }) {
      const held = holdSnapshot(db);
      let plan: FilterPlan | null = null;
      let after: WalkedRow | undefined;
      let rest: readonly WalkedRow[] = [];
      const dealer = scope ?? filter.dealer_id;

      const walk = async (): Promise<readonly WalkedRow[]> => {
        const on = await held.sql;
        plan ??= rowPlanOf(db, scope, await located(scope, filter));
        const place = {
          ...(dealer !== undefined && { dealer }),
          ...(after !== undefined && { "after.created_at": after.created_at, "after.id": after.id }),
        };
        return on.all(statementOf(plan, place), { ...plan.values, ...place });
      };
      /** The vehicles up to the first long one, or that one. */
      const take = async (on: Sql): Promise<readonly ExportedVehicle[]> => {
        const end = rest.findIndex(isLong);
        const [first] = rest;
        if (end === 0 && first !== undefined) {
          rest = rest.slice(1);
          return on.all(one, { id: first.id });
        }
        const short = rest.slice(0, end < 0 ? rest.length : end);
        rest = rest.slice(short.length);
        return short.filter(hasDocument);
      };
      const next = async (): Promise<readonly ExportedVehicle[]> => take(await held.sql);

      try {
        for (let looked = step; looked === step; ) {
          yield async () => {
            const rows = await walk();
            looked = rows.length;
            after = rows.at(-1);
            rest = rows;
            return next();
          };
          while (rest.length > 0) yield next satisfies Slice<ExportedVehicle>;
        }
      } finally {
        held.release();
      }
    },
  };
};

const hasDocument = (row: WalkedRow): row is WalkedRow & ExportedVehicle => row.document !== null;
