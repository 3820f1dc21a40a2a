import { sql } from "kysely";
import type { ExportedVehicle } from "../../../core/export/vehicle-file.ts";
import type { SqlDatabase, Values } from "../query/database.ts";
import { param, type Statement, sqlStatement, statementCache } from "../query/statement.ts";
import { conditionOf, type FilterPlan } from "../vehicles/filter-plan.ts";

/** The sizes of what is read at once. */
export interface Slicing {
  /** How many vehicles are looked at in one statement. On SQLite others wait as long. */
  readonly step: number;
  /** Vehicles with longer documents or lists of images are read one by one, so that a slice is never long. */
  readonly longBytes: number;
}
export const SLICING: Slicing = { step: 150, longBytes: 6000 };

/** A vehicle that was looked at. */
export interface WalkedRow {
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

/** Which vehicles a walk looks at, and where it is. */
export interface WalkPlace {
  /** Only those of this dealer. */
  readonly dealer?: number | undefined;
  /** Only those behind this one. */
  readonly after?: WalkedRow | undefined;
}

/** How all vehicles, or those of one dealer, are walked through, the newest first. */
export const vehicleWalk = (db: SqlDatabase, { step, longBytes }: Slicing) => {
  const steps = statementCache<WalkedRow>();

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
    /** One that must be read alone, by `one`. */
    isLong: ({ bytes, document, images }: WalkedRow): boolean =>
      bytes !== null && (document === null || (images ?? "").length > longBytes),
    /** The vehicle with this id, whole. */
    one: sqlStatement<ExportedVehicle>(
      db,
      sql`SELECT document, ${IMAGES} AS images FROM vehicle_documents AS documents WHERE id = ${param("id")}`,
    ),
    /**
     * The next `step` vehicles in the order of one index, whichever the filter finds: so each step costs the same. Of one
     * dealer only that dealer's are looked at.
     */
    next(plan: FilterPlan, { dealer, after }: WalkPlace): { statement: Statement<WalkedRow>; values: Values } {
      const place = {
        ...(dealer !== undefined && { dealer }),
        ...(after !== undefined && { "after.created_at": after.created_at, "after.id": after.id }),
      };
      return { statement: statementOf(plan, place), values: { ...plan.values, ...place } };
    },
  };
};

/** True for a vehicle that the filter finds, and that is not too long. */
export const hasDocument = (row: WalkedRow): row is WalkedRow & ExportedVehicle => row.document !== null;
