import { type Compilable, type OperationNodeSource, type RawBuilder, type SqlBool, sql } from "kysely";
import {
  AUDITED,
  type Audited,
  type AuditedResource,
  type Coarse,
  finerActionsOf,
  NAME_FIELDS,
} from "../../../core/audit/actions.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type SqlValue, type Statement, sqlStatement, statement } from "../query/statement.ts";
import { type AuditContext, entryInsertion, FOUND, FOUND_COLUMNS, KNOWN, KNOWN_COLUMNS, knownOf } from "./trail.ts";

/** What only the change itself knows for its audit entry: what it did, which record, whose it was, and what it was. */
export interface Before {
  readonly action: Audited;
  readonly record_name: string | null;
  readonly resource_id: number;
  readonly owner_id: number | null;
  /** JSON. */
  readonly before: string | null;
}

type Query<Row> = Compilable<Row> & OperationNodeSource;

/** What else belongs to the transaction of a change that affected these rows. */
export type Completion<Row> = (tx: Sql, rows: readonly Row[]) => Promise<void>;

/**
 * Runs a change, records it and completes it, all or nothing; takes ownership of `values`. A change that affects no
 * row records nothing.
 */
export type AuditedChange<Row> = (
  values: Record<string, SqlValue>,
  context: AuditContext,
  complete?: Completion<Row>,
) => Promise<readonly Row[]>;

const slot = (column: string): string => `entry.${column}`;

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

/** Joins a change to the record in `past` on engines that run both as one statement. */
export const ofBefore = (db: SqlDatabase, table: string) => ({
  source: sql<Before>`past`.as("past"),
  match: sql<SqlBool>`past.resource_id = ${sql.ref(`${table}.id`)}`,
  isJoined: db.hasWritableCtes,
});

/** What goes before a change: `past` finds and locks the record; its transaction begins with `first`. */
interface Preceding {
  readonly past: Query<Before>;
  readonly first?: Statement<object>;
}

/** Runs all in one statement: one round trip, one transaction. Only what else belongs to it takes further ones. */
const chained = <Row>(
  db: SqlDatabase,
  {
    past = null,
    first,
    besides,
  }: {
    readonly past?: Query<Before> | null;
    readonly first?: Statement<object>;
    readonly besides?: RawBuilder<unknown>;
  },
  change: Query<Row>,
): AuditedChange<Row> => {
  const known = KNOWN_COLUMNS.map((name) => sql`CAST(${param(slot(name))} AS ${sql.raw(KNOWN[name])})`);
  const found = FOUND_COLUMNS.map((column) => sql.ref(`record.${FOUND[column]}`));
  const query = sql<Row>`WITH ${past === null ? sql`` : sql`past AS (${past}), `}changed AS (${change}),
    recorded AS (INSERT INTO audit_entries (${columns([...KNOWN_COLUMNS, ...FOUND_COLUMNS])})
      SELECT ${sql.join([...known, ...found])}
      FROM ${past === null ? sql`changed AS record` : sql`changed CROSS JOIN past AS record`})
    ${besides === undefined ? sql`` : sql`, besides AS (${besides})`}
    SELECT * FROM changed`;
  const whole = sqlStatement(db, query);
  const slots = KNOWN_COLUMNS.map((name) => [name, slot(name)] as const);
  return (values, context, complete) => {
    const entry = knownOf(context);
    for (const [name, place] of slots) values[place] = entry[name];
    if (complete === undefined && first === undefined) return db.writeOne(whole, values);
    return db.write(async (tx) => {
      if (first !== undefined) await tx.all(first, {});
      const rows = await tx.all(whole, values);
      if (rows.length > 0) await complete?.(tx, rows);
      return rows;
    });
  };
};

/** Runs one statement after the other in one transaction. */
const stepwise = <Row>(db: SqlDatabase, past: Query<Before> | null, change: Query<Row>): AuditedChange<Row> => {
  const found = past === null ? null : statement(() => past);
  const changed = statement(() => change);
  const inserted = entryInsertion(db);
  return (values, context, complete) =>
    db.write(async (tx) => {
      const [present] = found === null ? [] : await tx.all(found, values);
      if (found !== null && present === undefined) return [];
      const rows = await tx.all(changed, values);
      const record = present ?? (rows[0] as Before | undefined);
      if (rows.length > 0 && record !== undefined)
        await tx.all(inserted, {
          ...knownOf(context),
          action: record.action,
          resource_id: record.resource_id,
          record_name: record.record_name,
          dealer_id: record.owner_id,
          before: record.before,
        });
      if (rows.length > 0) await complete?.(tx, rows);
      return rows;
    });
};

/** What people call a record of a table, in SQL. */
export const recordNameOf = (resource: AuditedResource): RawBuilder<string> =>
  sql<string>`${sql.join(
    NAME_FIELDS[resource].map((field) => sql.ref(field)),
    sql` || ' ' || `,
  )}`;

/** What a change of a record selects for its entry, besides whose it was and what it was. */
const namedAs = (resource: AuditedResource, action: RawBuilder<Audited>) =>
  ["id as resource_id", action.as("action"), recordNameOf(resource).as("record_name")] as const;

/** The same of an insertion or a deletion. */
export const identityIn = (action: Audited) => namedAs(AUDITED[action], sql<Audited>`${sql.lit(action)}`);

/**
 * The same of an update that sets these columns to parameters of their names: only the statement itself can compare
 * them with what was there, so it decides the action as `actionOf` does.
 */
export const identityInUpdate = (action: Coarse, columns: readonly string[]) => {
  const changes = finerActionsOf(action).flatMap(({ field, to, action: finer }) => {
    const column = columns.find((name) => name === field || name === `${field}_cents`);
    if (column === undefined) return [];
    const differs = sql`${sql.ref(column)} IS DISTINCT FROM ${param(column)}`;
    // Of the two values of a flag, the one that was not there has come.
    const wasOther = to === undefined ? sql`` : sql` AND ${sql.ref(column)} <> ${sql.lit(Number(to))}`;
    return [sql`WHEN ${differs}${wasOther} THEN ${sql.lit(finer)}`];
  });
  const coarse = sql.lit(action);
  return namedAs(
    AUDITED[action],
    changes.length === 0 ? sql<Audited>`${coarse}` : sql<Audited>`CASE ${sql.join(changes, sql` `)} ELSE ${coarse} END`,
  );
};

/**
 * An audited change of one record that returns its own `Before`: an insertion or a deletion. `besides` is a change of
 * another table that reads `changed`; engines that do not run all as one statement leave it to the completion.
 */
export const auditedChange = (
  db: SqlDatabase,
  change: Query<Before>,
  besides?: RawBuilder<unknown>,
): AuditedChange<Before> =>
  db.hasWritableCtes ? chained(db, besides === undefined ? {} : { besides }, change) : stepwise(db, null, change);

/**
 * An audited change of one record that `past` finds and locks before. If `ofBefore` says so, the change must be joined
 * to it. Engines with one writer need no `first`.
 */
export const auditedUpdate = <Row>(db: SqlDatabase, preceding: Preceding, change: Query<Row>): AuditedChange<Row> =>
  db.hasWritableCtes ? chained(db, preceding, change) : stepwise(db, preceding.past, change);
