import { sql, type UpdateObject } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Actor } from "../../../core/access/principal.ts";
import type { ScopedChange } from "../../../core/access/scoped-change.ts";
import type { Clock } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import type { Sealing } from "../../../core/sealing.ts";
import { withoutSecret } from "../../../core/sources/source.ts";
import { type SourceChange, type SourceRepository, TOO_MANY_SOURCES } from "../../../core/sources/source-repository.ts";
import { UNKNOWN_DEALER } from "../../../core/vehicles/vehicle-repository.ts";
import { auditTrail } from "../audit/trail.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { type Filtering, newestFirstPages } from "../query/newest-first.ts";
import { isWithin } from "../query/scope.ts";
import type { NewRow, Tables } from "../query/tables.ts";
import { basesInOrder } from "./locked-bases.ts";
import { answeredOf, auditedOf, contextOfCredentials, SOURCE_COLUMNS, type SourceRecord, storedOf } from "./stored.ts";

/** The maximum number of due sources that are read at once. */
const DUE_PER_READ = 100;

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

type InScope = Pick<ScopedChange, "id" | "scope">;

const sourceIn = (on: Queries, { id, scope }: InScope) =>
  on.selectFrom("import_sources").select(SOURCE_COLUMNS).where("id", "=", id).where(isWithin(scope));

/** Sources in SQL; see the port for what it guarantees. */
export const makeSourceRepository = (
  db: SqlDatabase,
  { clock, sealing }: { readonly clock: Clock; readonly sealing: () => Promise<Pick<Sealing, "seal">> },
): SourceRepository => {
  const jobs = transactionalJobs(clock);
  const audit = auditTrail(db);
  const lockBases = basesInOrder(db, "source");
  const pages = newestFirstPages(
    db,
    { table: "import_sources", texts: ["options", "runs"] },
    ({ has, param }: Filtering<{ dealer: number }>) =>
      db
        .selectFrom("import_sources")
        .select(SOURCE_COLUMNS)
        .$if(has("dealer"), (query) => query.where("dealer_id", "=", param("dealer"))),
  );

  const locked = async (tx: Tx, which: InScope): Promise<SourceRecord | null> =>
    (await sourceIn(tx, which).modifyEnd(db.forUpdate).executeTakeFirst()) ?? null;

  const setColumns = (tx: Tx, { id, scope }: InScope, columns: UpdateObject<Tables, "import_sources">) =>
    tx
      .updateTable("import_sources")
      .set(columns)
      .where("id", "=", id)
      .where(isWithin(scope))
      .returning(SOURCE_COLUMNS)
      .executeTakeFirstOrThrow();

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
    const isNone = auth === null;
    return setColumns(
      tx,
      { id: row.id, scope },
      {
        auth: isNone ? null : seal(JSON.stringify(auth), contextOfCredentials(row.id)),
        auth_shown: isNone ? null : JSON.stringify(withoutSecret(auth)),
      },
    );
  };

  /** The sources of a dealer are fetched one at a time, so that no dealer keeps others waiting. */
  const request = async (tx: Tx, id: number, dealerId: number): Promise<void> =>
    jobs.add(tx, { kind: "source", queue: dealerId, subject: id });

  return {
    async insert({ dealerId, source, most, now, by }) {
      const { seal } = await sealing();
      return db.write(async (tx) => {
        const dealer = tx.selectFrom("dealers").select("id").where("id", "=", dealerId).modifyEnd(db.forUpdate);
        if ((await dealer.executeTakeFirst()) === undefined) return UNKNOWN_DEALER;
        const { count } = await tx
          .selectFrom("import_sources")
          .select(sql<number>`count(*)`.as("count"))
          .where("dealer_id", "=", dealerId)
          .executeTakeFirstOrThrow();
        if (count >= most) return TOO_MANY_SOURCES;
        const row = await tx
          .insertInto("import_sources")
          .values({
            ...changedColumns(source, by),
            dealer_id: dealerId,
            auth: null,
            auth_shown: null,
            etag: null,
            missing_lately: null,
            runs: "[]",
            created_at: now,
            updated_at: now,
          } satisfies NewRow<"import_sources">)
          .returning(SOURCE_COLUMNS)
          .executeTakeFirstOrThrow();
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
      const row = await sourceIn(db, { id, scope }).executeTakeFirst();
      return row === undefined ? null : answeredOf(row);
    },

    async list({ scope, dealerId, limit, after }) {
      const dealer = scope ?? dealerId ?? null;
      const { rows, ...page } = await pages({ dealer, filters: dealer === null ? {} : { dealer }, limit, after });
      return { items: rows.map(answeredOf), ...page };
    },

    async change({ id, scope, now, by }, decide) {
      const { seal } = await sealing();
      return db.write(async (tx) => {
        const row = await locked(tx, { id, scope });
        if (row === null) return null;
        const before = answeredOf(row);
        const wanted = decide(storedOf(row));
        if (wanted instanceof Failure) return wanted;
        const changed = await setColumns(
          tx,
          { id, scope },
          {
            ...(wanted.isReset && { etag: null, missing_lately: null }),
            ...changedColumns(wanted, by),
            updated_at: db.nextTimestamp("import_sources.updated_at", now),
          },
        );
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
        const row = await locked(tx, { id, scope });
        if (row === null) return false;
        const before = answeredOf(row);
        await jobs.end(tx, "source", id);
        await lockBases(tx, id);
        await tx.deleteFrom("import_sources").where("id", "=", id).where(isWithin(scope)).execute();
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
        const row = await locked(tx, { id, scope });
        if (row === null) return null;
        const refused = refusal(storedOf(row));
        if (refused === null) await request(tx, id, row.dealer_id);
        return refused ?? answeredOf(row);
      }),

    async due(now) {
      const rows = await db
        .selectFrom("import_sources")
        .select(SOURCE_COLUMNS)
        .where("next_at", "<=", now)
        .orderBy("next_at")
        .limit(sql.lit(DUE_PER_READ))
        .execute();
      return rows.map(storedOf);
    },

    tick: (id, seen, next) =>
      db.write(async (tx) => {
        const row = await tx
          .updateTable("import_sources")
          .set({ next_at: next })
          .where("id", "=", id)
          .where("next_at", "=", seen)
          .returning("dealer_id")
          .executeTakeFirst();
        if (row !== undefined) await request(tx, id, row.dealer_id);
      }),
  };
};
