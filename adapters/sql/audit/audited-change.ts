import { type Compilable, type OperationNodeSource, type RawBuilder, sql } from "kysely";
import {
  AUDITED,
  type Audited,
  type AuditedResource,
  type CoarseAction,
  finerActionsOf,
  NAME_FIELDS,
} from "../../../core/audit/actions.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { param, type SqlValue, type Statement, sqlStatement, statement } from "../query/statement.ts";
import { listedValues, listedVehicle, listing, replacedValues } from "./change-list.ts";
import { entryFieldsIn, entryFieldsInSql, WHOLE_TEXT } from "./entry-fields.ts";
import {
  type AuditContext,
  CONTEXT_COLUMN_NAMES,
  CONTEXT_COLUMNS,
  contextValues,
  entryInsertion,
  RECORD_COLUMN_NAMES,
  RECORD_COLUMNS,
} from "./trail.ts";

/**
 * The part of an audit entry that is known only after the change: the action, the record, its owner and its old values.
 */
export interface AuditedRecord {
  readonly action: Audited;
  readonly record_name: string | null;
  readonly resource_id: number;
  readonly owner_id: number | null;
  /** The old values as JSON. */
  readonly before: string | null;
}

type Query<Row> = Compilable<Row> & OperationNodeSource;

/** Further work in the transaction of a change that affected these rows. */
export type Completion<Row> = (tx: Tx, rows: readonly Row[]) => Promise<void>;

/** Where a change is made: in a transaction of its own, as a database makes it, or in one that has begun. */
export interface Writes extends Pick<SqlDatabase, "all" | "writeOne"> {
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
}

/** Makes changes within a transaction that has begun. */
export const within = (tx: Tx): Writes => ({
  write: (work) => work(tx),
  writeOne: async (query, values) => tx.all(query, values),
  all: (query, values) => tx.all(query, values),
});

/**
 * Runs a change, records it and completes it in one transaction. A change that affects no row records nothing. The
 * caller must not use `values` afterwards.
 */
export type AuditedChange<Row> = (
  writes: Writes,
  change: {
    readonly values: Record<string, SqlValue>;
    readonly context: AuditContext;
    readonly complete?: Completion<Row> | undefined;
  },
) => Promise<readonly Row[]>;

/** The new values of an entry. They are a parameter of their own, as they are long and JSON already. */
const AFTER = "entry.after";
/** The other values that are known before the change, as one JSON list: a driver takes time for each parameter. */
const ENTRY = "entry";
const LISTED_NAMES = CONTEXT_COLUMN_NAMES.filter((name) => name !== "after");

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

/** Lets a change wait for `past`, which finds its record or nothing, on engines that run both as one statement. */
export const joinOfPrevious = (db: SqlDatabase) => ({
  source: sql<AuditedRecord>`past`.as("past"),
  isJoined: db.hasWritableCtes,
});

/** The steps before a change: the transaction begins with `first`, then `past` finds and locks the record. */
interface PrecedingSteps {
  readonly past: Query<AuditedRecord>;
  readonly first?: Statement<object>;
}

/** What an insertion or a deletion does besides, where one statement can contain several changes. */
export interface Besides {
  /** A change of another table, which reads `changed`. */
  readonly change?: RawBuilder<unknown> | undefined;
  /** The new values of the audit entry, if its context has none. */
  readonly after?: RawBuilder<unknown>;
  /** The columns of the result that are used. */
  readonly result?: RawBuilder<unknown>;
}

/** Runs everything as one statement, in one round trip. Only `first` and the completion take further statements. */
const asOneStatement = <Row>(
  db: SqlDatabase,
  {
    past = null,
    first,
    change: besides,
    after,
    result = sql`*`,
  }: Besides & { readonly past?: Query<AuditedRecord> | null; readonly first?: Statement<object> },
  change: Query<Row>,
): AuditedChange<Row> => {
  const own = sql`CAST(${param(AFTER)} AS TEXT)`;
  const known = CONTEXT_COLUMN_NAMES.map((name) => {
    if (name === "after") return after === undefined ? own : sql`COALESCE(${own}, ${after})`;
    return sql`CAST(entry.listed ->> ${sql.lit(LISTED_NAMES.indexOf(name))} AS ${sql.raw(CONTEXT_COLUMNS[name])})`;
  });
  const found = RECORD_COLUMN_NAMES.map((column) => {
    const value = sql.ref(`record.${RECORD_COLUMNS[column]}`);
    return column === "before" && past !== null ? entryFieldsInSql(value) : value;
  });
  const query = (
    further: RawBuilder<unknown>,
  ) => sql<Row>`WITH ${past === null ? sql`` : sql`past AS (${past}), `}changed AS (${change}),
    entry AS (SELECT CAST(CAST(${param(ENTRY)} AS TEXT) AS jsonb) AS listed),
    recorded AS (INSERT INTO audit_entries (${columns([...CONTEXT_COLUMN_NAMES, ...RECORD_COLUMN_NAMES])})
      SELECT ${sql.join([...known, ...found])}
      FROM ${past === null ? sql`changed AS record` : sql`changed CROSS JOIN past AS record`} CROSS JOIN entry)
    ${besides === undefined ? sql`` : sql`, besides AS (${besides})`}${further}
    SELECT ${result} FROM changed`;
  const whole = sqlStatement(db, query(sql``), true);
  const record = past === null ? sql`changed AS record` : sql`changed CROSS JOIN past AS record`;
  const list = listedVehicle(
    db,
    { vehicle: sql`record.resource_id`, dealer: sql`record.owner_id` },
    sql`FROM ${record} WHERE TRUE`,
  );
  const replaced =
    past === null
      ? sql``
      : sql`, replaced AS (${replacedValues(sql`record.resource_id`, sql`record.before`, sql`FROM ${record} WHERE TRUE`)})`;
  const listed = sqlStatement(db, query(sql`, listed AS (${list})${replaced}`), true);
  return (writes, { values, context, complete }) => {
    const entry = contextValues(context);
    values[AFTER] = entry.after;
    values[ENTRY] = JSON.stringify(LISTED_NAMES.map((name) => entry[name]));
    const ofChange = listedValues(context);
    if (ofChange !== null) Object.assign(values, ofChange);
    const all = ofChange === null ? whole : listed;
    if (complete === undefined && first === undefined) return writes.writeOne(all, values);
    return writes.write(async (tx) => {
      if (first !== undefined) await tx.all(first, {});
      const rows = await tx.all(all, values);
      if (rows.length > 0) await complete?.(tx, rows);
      return rows;
    });
  };
};

/** Runs one statement after the other in one transaction. */
const asSeparateStatements = <Row>(
  db: SqlDatabase,
  past: Query<AuditedRecord> | null,
  change: Query<Row>,
): AuditedChange<Row> => {
  const found = past === null ? null : statement(() => past);
  const changed = statement(() => change);
  const inserted = entryInsertion(db);
  const listed = listing(db);
  const replaced = sqlStatement(
    db,
    replacedValues(sql`CAST(${param("resource_id")} AS BIGINT)`, sql`CAST(${param("before")} AS TEXT)`),
  );
  return (writes, { values, context, complete }) =>
    writes.write(async (tx) => {
      const [present] = found === null ? [] : await tx.all(found, values);
      if (found !== null && present === undefined) return [];
      const rows = await tx.all(changed, values);
      const record = present ?? (rows[0] as AuditedRecord | undefined);
      if (rows.length > 0 && record !== undefined)
        await tx.all(inserted, {
          ...contextValues(context),
          action: record.action,
          resource_id: record.resource_id,
          record_name: record.record_name,
          dealer_id: record.owner_id,
          before: entryFieldsIn(record.before),
        });
      const ofChange = listedValues(context);
      if (rows.length > 0 && record !== undefined && ofChange !== null) {
        const { resource_id, owner_id: dealer_id, before } = record;
        await listed(tx, ofChange, { resource_id, dealer_id });
        if (before !== null && before.length > WHOLE_TEXT) await tx.all(replaced, { ...ofChange, resource_id, before });
      }
      if (rows.length > 0) await complete?.(tx, rows);
      return rows;
    });
};

/** The human-readable name of a record, in SQL. */
export const recordNameOf = (resource: AuditedResource): RawBuilder<string> =>
  sql<string>`${sql.join(
    NAME_FIELDS[resource].map((field) => sql.ref(field)),
    sql` || ' ' || `,
  )}`;

/** The columns that a change selects for its audit entry, besides the owner and the old values. */
const auditColumns = (resource: AuditedResource, action: RawBuilder<Audited>) =>
  ["id as resource_id", action.as("action"), recordNameOf(resource).as("record_name")] as const;

/** The same columns for an insertion or a deletion. */
export const auditColumnsOf = (action: Audited) => auditColumns(AUDITED[action], sql<Audited>`${sql.lit(action)}`);

/**
 * The same columns for an update that sets these columns to parameters of the same names. Only the statement can
 * compare the new values with the old ones, so it determines the action. The rules are those of `actionOf`.
 */
export const auditColumnsOfUpdate = (action: CoarseAction, columns: readonly string[]) => {
  const changes = finerActionsOf(action).flatMap(({ field, to, action: finer }) => {
    const column = columns.find((name) => name === field || name === `${field}_cents`);
    if (column === undefined) return [];
    const differs = sql`${sql.ref(column)} IS DISTINCT FROM ${param(column)}`;
    // If a flag differs, and its old value was not `to`, its new value is `to`.
    const wasOther = to === undefined ? sql`` : sql` AND ${sql.ref(column)} <> ${sql.lit(Number(to))}`;
    return [sql`WHEN ${differs}${wasOther} THEN ${sql.lit(finer)}`];
  });
  const coarse = sql.lit(action);
  return auditColumns(
    AUDITED[action],
    changes.length === 0 ? sql<Audited>`${coarse}` : sql<Audited>`CASE ${sql.join(changes, sql` `)} ELSE ${coarse} END`,
  );
};

/**
 * An audited change of one record that returns its own AuditedRecord, or the columns of `besides.result`: an insertion or
 * a deletion. If the engine cannot run everything as one statement, the completion must do what stands in `besides`
 * instead.
 */
export const auditedChange = <Row = AuditedRecord>(
  db: SqlDatabase,
  change: Query<AuditedRecord>,
  besides: Besides = {},
): AuditedChange<Row> => {
  const made: Query<unknown> = change;
  return db.hasWritableCtes
    ? asOneStatement(db, besides, made as Query<Row>)
    : asSeparateStatements(db, null, made as Query<Row>);
};

/**
 * An audited change of one record that `past` finds and locks first. Where `joinOfPrevious` asks for it, the change
 * must be joined to `past`. Engines with only one writer do not need `first`.
 */
export const auditedUpdate = <Row>(
  db: SqlDatabase,
  preceding: PrecedingSteps,
  change: Query<Row>,
): AuditedChange<Row> =>
  db.hasWritableCtes ? asOneStatement(db, preceding, change) : asSeparateStatements(db, preceding.past, change);
