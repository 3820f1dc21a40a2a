import { sql } from "kysely";
import type { Clock } from "../../../core/clock.ts";
import { type Claim, LeaseLost } from "../../../core/jobs/job.ts";
import type { SweptPhotos } from "../../../core/photos/photo-sweep.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

const PER_STEP = 100;

/** What a job sweeps: removed photos, or files without a photo. */
export const SWEEPS = { removed: 1, orphans: 2 } as const;

const statementsOf = (db: SqlDatabase) => {
  const photo = param<string>("photo");
  const isRestorable = sql`EXISTS (SELECT 1 FROM removed_vehicles WHERE removed_vehicles.id = vehicle_id
    AND ${db.contains(sql`images`, photo)})`;
  return {
    waiting: sqlStatement<{ photo_id: string }>(
      db,
      sql`SELECT DISTINCT photo_id FROM released_photos WHERE held = 0 ORDER BY photo_id LIMIT ${sql.lit(PER_STEP)}`,
    ),
    // An image that names the photo by another way locks it too, so none is added between the next statements.
    lock: sqlStatement<object>(db, sql`SELECT photo_id FROM photos WHERE photo_id = ${photo} ${db.forUpdate}`),
    hold: sqlStatement<object>(
      db,
      sql`UPDATE released_photos SET held = 1 WHERE photo_id = ${photo} AND held = 0 AND ${isRestorable}`,
    ),
    drop: sqlStatement<object>(
      db,
      sql`DELETE FROM released_photos WHERE photo_id = ${photo} AND held = 0 AND NOT ${isRestorable}`,
    ),
    // A vehicle may have been removed since the statements before: whatever is noted of the photo counts.
    end: sqlStatement<object>(
      db,
      sql`UPDATE photos SET gone = 1 WHERE photo_id = ${photo} AND gone = 0
        AND NOT EXISTS (SELECT 1 FROM vehicle_images
          WHERE substr(image_url, 1, 6) = 'photo:' AND substr(image_url, 40, 32) = ${photo})
        AND NOT EXISTS (SELECT 1 FROM released_photos WHERE released_photos.photo_id = ${photo} AND ${isRestorable})`,
    ),
    gone: sqlStatement<{ photo_id: string }>(
      db,
      sql`SELECT photo_id FROM photos WHERE gone = 1 ORDER BY photo_id LIMIT ${sql.lit(PER_STEP)}`,
    ),
    forget: sqlStatement<object>(db, sql`DELETE FROM photos WHERE photo_id = ${photo} AND gone = 1`),
    known: sqlStatement<{ photo_id: string }>(
      db,
      sql`SELECT photo_id FROM photos WHERE photo_id IN
        (SELECT listed_id FROM ${db.jsonRows(param<string>("ids"), { listed_id: "text" })} AS listed)`,
    ),
    isWaiting: sqlStatement<{ found: number }>(
      db,
      sql`SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM released_photos WHERE held = 0)
        OR EXISTS (SELECT 1 FROM photos WHERE gone = 1)`,
    ),
  };
};

/** The sweep of photos in SQL, and the jobs by which one process at a time does it. */
export const photoSweeps = (db: SqlDatabase, clock: Clock) => {
  const statements = statementsOf(db);
  const jobs = transactionalJobs(clock);

  return {
    /** Adds the job of a sweep, unless there is one. */
    add: (subject: number): Promise<void> => db.write((tx) => jobs.add(tx, { kind: "photos", queue: 0, subject })),
    /** True if photos were removed since the last sweep. */
    isWaiting: async (): Promise<boolean> => (await db.all(statements.isWaiting, {})).length > 0,
    /** The steps of a process that holds the job. */
    within(claim: Claim): SweptPhotos & { readonly end: () => Promise<void> } {
      const step = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
        db.write(async (tx) => {
          if (!(await jobs.renewLease(tx, claim))) throw new LeaseLost();
          return work(tx);
        });
      return {
        async decideSome() {
          const rows = await db.all(statements.waiting, {});
          for (const { photo_id: photo } of rows)
            await step(async (tx) => {
              await tx.all(statements.lock, { photo });
              await tx.all(statements.hold, { photo });
              await tx.all(statements.drop, { photo });
              await tx.all(statements.end, { photo });
            });
          return rows.length;
        },
        gone: () => step(async (tx) => (await tx.all(statements.gone, {})).map((row) => row.photo_id)),
        forget: (photo) => step(async (tx) => void (await tx.all(statements.forget, { photo }))),
        known: (ids) =>
          step(async (tx) => {
            const rows = await tx.all(statements.known, { ids: JSON.stringify(ids.map((id) => [id])) });
            return new Set(rows.map((row) => row.photo_id));
          }),
        end: () => db.write((tx) => jobs.end(tx, "photos", claim.subjectId)),
      };
    },
  };
};
