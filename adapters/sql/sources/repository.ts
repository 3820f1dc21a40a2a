import { sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Actor } from "../../../core/access/principal.ts";
import type { Clock } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import type { Sealing } from "../../../core/sealing.ts";
import { withoutSecret } from "../../../core/sources/source.ts";
import { type SourceChange, type SourceRepository, TOO_MANY_SOURCES } from "../../../core/sources/source-repository.ts";
import { UNKNOWN_DEALER } from "../../../core/vehicles/vehicle-repository.ts";
import { auditTrail } from "../audit/trail.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { newestFirstPages } from "../query/newest-first.ts";
import { param, params, scopedStatement, sqlStatement, statement } from "../query/statement.ts";
import type { NewRow } from "../query/tables.ts";
import { basesInOrder } from "./locked-bases.ts";
import {
  answeredOf,
  auditedOf,
  contextOfCredentials,
  INSERTED,
  SOURCE_COLUMNS,
  type SourceRecord,
  storedOf,
} from "./stored.ts";

/** The maximum number of due sources that are read at once. */
const DUE_PER_READ = 100;

/** The columns that a change writes, without the credentials. */
const CHANGED = [
  "name",
  "url",
  "schedule",
  "timezone",
  "options",
  "field_owners",
  "active",
  "ended_by",
  "next_at",
  "failures",
  "failing_since",
  "actor_key_id",
  "actor_user_id",
] as const;

const changedColumns = (change: SourceChange, by: Actor) => ({
  name: change.name,
  url: change.url,
  schedule: change.schedule,
  timezone: change.timezone,
  options: JSON.stringify(change.options),
  field_owners: JSON.stringify(change.field_owners),
  active: change.active ? (1 as const) : (0 as const),
  ended_by: change.endedBy,
  next_at: change.nextAt,
  failures: change.failures,
  failing_since: change.failingSince,
  actor_key_id: by.keyId,
  actor_user_id: by.userId,
});

const statementsOf = (db: SqlDatabase) => {
  const one = (narrowed: boolean) =>
    db
      .selectFrom("import_sources")
      .select(SOURCE_COLUMNS)
      .where("id", "=", param("id"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")));
  return {
    dealer: statement(() =>
      db.selectFrom("dealers").select("id").where("id", "=", param("dealer")).modifyEnd(db.forUpdate),
    ),
    ofDealer: sqlStatement(
      db,
      sql<{ count: number }>`SELECT count(*) AS count FROM import_sources WHERE dealer_id = ${param("dealer")}`,
    ),
    insert: statement(() =>
      db
        .insertInto("import_sources")
        .values(params(INSERTED) satisfies NewRow<"import_sources">)
        .returning(SOURCE_COLUMNS),
    ),
    seal: scopedStatement((narrowed) =>
      db
        .updateTable("import_sources")
        .set({ auth: param("auth"), auth_shown: param("shown") })
        .where("id", "=", param("id"))
        .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")))
        .returning(SOURCE_COLUMNS),
    ),
    forget: scopedStatement((narrowed) =>
      db
        .updateTable("import_sources")
        .set({ etag: null, missing_lately: null })
        .where("id", "=", param("id"))
        .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
    ),
    find: scopedStatement(one),
    locked: scopedStatement((narrowed) => one(narrowed).modifyEnd(db.forUpdate)),
    update: scopedStatement((narrowed) =>
      db
        .updateTable("import_sources")
        .set({ ...params(CHANGED), updated_at: db.nextTimestamp("import_sources.updated_at", param("now")) })
        .where("id", "=", param("id"))
        .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
    ),
    remove: scopedStatement((narrowed) =>
      db
        .deleteFrom("import_sources")
        .where("id", "=", param("id"))
        .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
    ),
    due: statement(() =>
      db
        .selectFrom("import_sources")
        .select(SOURCE_COLUMNS)
        .where("next_at", "<=", param("now"))
        .orderBy("next_at")
        .limit(sql.lit(DUE_PER_READ)),
    ),
    tick: sqlStatement(
      db,
      sql<{ dealer_id: number }>`UPDATE import_sources SET next_at = ${param("next")}
        WHERE id = ${param("id")} AND next_at = ${param("seen")} RETURNING dealer_id`,
    ),
  };
};

/** Sources in SQL; see the port for what it guarantees. */
export const makeSourceRepository = (
  db: SqlDatabase,
  { clock, sealing }: { readonly clock: Clock; readonly sealing: () => Promise<Pick<Sealing, "seal">> },
): SourceRepository => {
  const statements = statementsOf(db);
  const jobs = transactionalJobs(clock);
  const audit = auditTrail(db);
  const lockBases = basesInOrder(db, "source");
  const pages = newestFirstPages(db, { table: "import_sources", texts: ["options", "runs"] }, (has) =>
    db
      .selectFrom("import_sources")
      .select(SOURCE_COLUMNS)
      .$if(has("dealer"), (query) => query.where("dealer_id", "=", param("dealer"))),
  );

  /** Writes the credentials of a change if it contains any. */
  const sealed = async (
    tx: Tx,
    row: SourceRecord,
    {
      scope,
      auth,
      seal,
    }: {
      readonly scope: DealerScope;
      readonly auth: SourceChange["auth"];
      readonly seal: Sealing["seal"];
    },
  ): Promise<SourceRecord> => {
    if (auth === undefined) return row;
    const [changed] = await tx.all(statements.seal(scope), {
      id: row.id,
      scope,
      auth: auth === null ? null : seal(JSON.stringify(auth), contextOfCredentials(row.id)),
      shown: auth === null ? null : JSON.stringify(withoutSecret(auth)),
    });
    return changed ?? row;
  };

  /** The sources of a dealer are fetched one at a time, so that no dealer keeps others waiting. */
  const request = async (tx: Tx, id: number, dealerId: number): Promise<void> =>
    jobs.add(tx, { kind: "source", queue: dealerId, subject: id });

  return {
    async insert({ dealerId, source, most, now, by }) {
      const { seal } = await sealing();
      return db.write(async (tx) => {
        if ((await tx.all(statements.dealer, { dealer: dealerId })).length === 0) return UNKNOWN_DEALER;
        const [present] = await tx.all(statements.ofDealer, { dealer: dealerId });
        if ((present?.count ?? 0) >= most) return TOO_MANY_SOURCES;
        const [row] = await tx.all(statements.insert, {
          ...changedColumns(source, by),
          dealer_id: dealerId,
          auth: null,
          auth_shown: null,
          etag: null,
          missing_lately: null,
          runs: "[]",
          created_at: now,
          updated_at: now,
        });
        if (row === undefined) throw new Error("an inserted source has no id");
        const made = answeredOf(await sealed(tx, row, { scope: dealerId, auth: source.auth, seal }));
        await audit(tx, {
          at: now,
          by,
          action: "source.created",
          resourceId: made.id,
          dealerId,
          before: null,
          after: auditedOf(made),
        });
        return made;
      });
    },

    async find(id, scope) {
      const row = await db.first(statements.find(scope), { id, scope });
      return row === null ? null : answeredOf(row);
    },

    async list({ scope, dealerId, limit, after }) {
      const dealer = scope ?? dealerId ?? null;
      const { rows, ...page } = await pages({ dealer, filters: dealer === null ? {} : { dealer }, limit, after });
      return { items: rows.map(answeredOf), ...page };
    },

    async change({ id, scope, now, by }, decide) {
      const { seal } = await sealing();
      return db.write(async (tx) => {
        const [row] = await tx.all(statements.locked(scope), { id, scope });
        if (row === undefined) return null;
        const before = answeredOf(row);
        const wanted = decide(storedOf(row));
        if (wanted instanceof Failure) return wanted;
        if (wanted.isReset) await tx.all(statements.forget(scope), { id, scope });
        await tx.all(statements.update(scope), { ...changedColumns(wanted, by), id, scope, now });
        const [changed] = await tx.all(statements.find(scope), { id, scope });
        if (changed === undefined) throw new Error(`source ${id} is gone while it was changed`);
        const after = answeredOf(await sealed(tx, changed, { scope, auth: wanted.auth, seal }));
        await audit(tx, {
          at: now,
          by,
          action: "source.changed",
          resourceId: id,
          dealerId: before.dealer_id,
          before: auditedOf(before),
          after: auditedOf(after),
        });
        return after;
      });
    },

    remove: ({ id, scope, now, by }) =>
      db.write(async (tx) => {
        const [row] = await tx.all(statements.locked(scope), { id, scope });
        if (row === undefined) return false;
        const before = answeredOf(row);
        await jobs.end(tx, "source", id);
        await lockBases(tx, id);
        await tx.all(statements.remove(scope), { id, scope });
        await audit(tx, {
          at: now,
          by,
          action: "source.removed",
          resourceId: id,
          dealerId: before.dealer_id,
          before: auditedOf(before),
          after: null,
        });
        return true;
      }),

    request: (id, scope, refusal) =>
      db.write(async (tx) => {
        const [row] = await tx.all(statements.locked(scope), { id, scope });
        if (row === undefined) return null;
        const refused = refusal(storedOf(row));
        if (refused === null) await request(tx, id, row.dealer_id);
        return refused ?? answeredOf(row);
      }),

    async due(now) {
      return (await db.all(statements.due, { now })).map(storedOf);
    },

    tick: (id, seen, next) =>
      db.write(async (tx) => {
        const [row] = await tx.all(statements.tick, { id, seen, next });
        if (row !== undefined) await request(tx, id, row.dealer_id);
      }),
  };
};
