import { sql } from "kysely";
import type { ExportedVehicle } from "../../../core/export/vehicle-file.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, type Statement, sqlStatement, statementCache, type Values } from "../query/statement.ts";
import { conditionOf, type FilterPlan } from "../vehicles/filter-plan.ts";

/** The sizes of one read. */
export interface ReadSizes {
  /** The number of vehicles that one statement visits. On SQLite, other requests wait until it ends. */
  readonly rowsPerStep: number;
  /** Vehicles with longer documents or image lists are read one by one, so that a slice is never long. */
  readonly longBytes: number;
}
export const READ_SIZES: ReadSizes = { rowsPerStep: 150, longBytes: 6000 };
/**
 * The maximum number of vehicles that one statement of a search visits. It looks for each word of the search in all words
 * of a vehicle, which takes up to a millisecond.
 */
const SEARCHED_ROWS_PER_STEP = 10;

/** A vehicle that the walk visited. */
export interface WalkedRow {
  readonly id: number;
  readonly created_at: string;
  /** The length of its document; `null` if it does not match the filter. */
  readonly bytes: number | null;
  /** `null` if the vehicle does not match, or if its document is too long to be read together with others. */
  readonly document: string | null;
  /** The addresses of its images, cut off one character after `longBytes`. */
  readonly images: string | null;
}

/** The addresses of a vehicle's images, the primary one first, separated by spaces. No address contains white space. */
const IMAGES = sql<
  string | null
>`(SELECT string_agg(image_url, ' ' ORDER BY is_primary DESC, display_order, id) FROM vehicle_images
  WHERE vehicle_id = documents.id)`;

/** The vehicles that a walk visits, and the place where it continues. */
export interface WalkRange {
  /** Only vehicles of this dealer. */
  readonly dealer?: number | undefined;
  /** Only vehicles after this one. */
  readonly after?: WalkedRow | undefined;
}

/** A statement of a walk. It returns fewer than `rows` vehicles only at the end of the walk. */
export interface WalkStep {
  readonly statement: Statement<WalkedRow>;
  readonly values: Values;
  readonly rows: number;
}

/** Walks through all vehicles or through those of one dealer, newest first. */
export const vehicleWalk = (db: SqlDatabase, { rowsPerStep, longBytes }: ReadSizes) => {
  const steps = statementCache<WalkedRow>();

  const rowsOf = ({ searchedTexts }: FilterPlan): number =>
    searchedTexts === 0 ? rowsPerStep : Math.min(rowsPerStep, SEARCHED_ROWS_PER_STEP);

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
          ORDER BY created_at DESC, id DESC LIMIT ${sql.lit(rowsOf(plan))}) AS walked
        LEFT JOIN vehicle_documents AS documents ON documents.id = walked.found
        ORDER BY walked.created_at DESC, walked.id DESC`;
      return { compile: () => rows.compile(db) };
    });

  return {
    /** True if the vehicle must be read alone, with `one`. */
    isLong: ({ bytes, document, images }: WalkedRow): boolean =>
      bytes !== null && (document === null || (images ?? "").length > longBytes),
    /** The whole document and images of the vehicle with this id. */
    one: sqlStatement<ExportedVehicle>(
      db,
      sql`SELECT document, ${IMAGES} AS images FROM vehicle_documents AS documents WHERE id = ${param("id")}`,
    ),
    /**
     * The next `rows` vehicles in the order of one index, at most `rowsPerStep`. They are visited whether or not they
     * match the filter, so that each step costs the same. If a dealer is given, only its vehicles are visited.
     */
    next(plan: FilterPlan, { dealer, after }: WalkRange): WalkStep {
      const bounds = {
        ...(dealer !== undefined && { dealer }),
        ...(after !== undefined && { "after.created_at": after.created_at, "after.id": after.id }),
      };
      return { statement: statementOf(plan, bounds), values: { ...plan.values, ...bounds }, rows: rowsOf(plan) };
    },
  };
};

/** True for a vehicle that matches the filter and is not long. */
export const hasDocument = (row: WalkedRow): row is WalkedRow & ExportedVehicle => row.document !== null;
