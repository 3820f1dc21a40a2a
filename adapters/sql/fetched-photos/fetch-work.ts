import { sql } from "kysely";
import type { Principal } from "../../../core/access/principal.ts";
import { workNeedsItsMakersRights } from "../../../core/access/rules/work-needs-its-makers-rights.ts";
import type { Clock } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import type { Fetched, FetchWork } from "../../../core/fetched-photos/fetch-work.ts";
import { imageFetched } from "../../../core/fetched-photos/image-fetched.ts";
import { ownAddressIn, storedAddressOf } from "../../../core/images/own-address.ts";
import { fetchesPhotos } from "../../../core/imports/import.ts";
import type { StoredImport, WaitingPhoto } from "../../../core/imports/import-repository.ts";
import { importerOf } from "../../../core/imports/importer.ts";
import { type Claim, LeaseLost } from "../../../core/jobs/job.ts";
import { currentPrincipalOf } from "../access/current-principals.ts";
import { imageChanges } from "../images/changes.ts";
import { IMPORT_COLUMNS, QUEUE_OF_MANY_DEALERS, storedOf } from "../imports/stored.ts";
import { waitingPhotos } from "../imports/waiting-photos.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import { hashOfAddress, photosOfAddresses } from "../photos/photos-of-addresses.ts";
import { storedPhotos } from "../photos/stored-photos.ts";
import type { Sql, SqlDatabase, Tx } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";
import { warnOfPhoto } from "./photo-warnings.ts";

/** The photos of an import that are read at once. */
const PER_STEP = 20;

const RIGHTS_LOST = "Whoever asked for the import may not change these vehicles any more";

const statementsOf = (db: SqlDatabase) => ({
  wanted: sqlStatement<{ id: number }>(
    db,
    sql`SELECT vehicle_images.id FROM vehicle_images JOIN vehicles ON vehicles.id = vehicle_id
      WHERE vehicle_id = ${param("vehicleId")} AND vehicles.dealer_id = ${param("dealer")} AND image_url = ${param("address")}
      LIMIT 1`,
  ),
  problem: sqlStatement<{ problem: string }>(
    db,
    sql`SELECT problem FROM import_photos WHERE import_id = ${param("id")} AND address_hash = ${param("hash")}
      AND dealer_id = ${param("dealer")} AND problem IS NOT NULL LIMIT 1`,
  ),
  withContent: sqlStatement<{ photo_id: string; account_hash: string }>(
    db,
    sql`SELECT photo_id, account_hash FROM photos JOIN photo_accounts ON photo_accounts.dealer_id = photos.dealer_id
      WHERE photos.dealer_id = ${param("dealer")} AND sha256 = ${param("sha256")} AND gone = 0 ORDER BY photo_id LIMIT 1`,
  ),
  remember: sqlStatement<object>(
    db,
    sql`INSERT INTO fetched_photos (dealer_id, address_hash, photo_id)
      VALUES (${param("dealer")}, ${param("hash")}, ${param("photo")})
      ON CONFLICT (dealer_id, address_hash) DO UPDATE SET photo_id = excluded.photo_id`,
  ),
  done: sqlStatement<object>(
    db,
    sql`DELETE FROM import_photos WHERE import_id = ${param("id")} AND address_hash = ${param("hash")}
      AND place = ${param("place")} AND problem IS NULL RETURNING place`,
  ),
  failed: sqlStatement<object>(
    db,
    sql`UPDATE import_photos SET problem = ${param("problem")} WHERE import_id = ${param("id")}
      AND address_hash = ${param("hash")} AND place = ${param("place")} AND problem IS NULL RETURNING place`,
  ),
});

/** The fetching of imports' photos in SQL; see the port for what it guarantees. */
export const makeFetchWork = (db: SqlDatabase, clock: Clock): FetchWork => {
  const statements = statementsOf(db);
  const jobs = transactionalJobs(clock);
  const changeImages = imageChanges(db);
  const photosOf = photosOfAddresses(db);
  const stored = storedPhotos(db);
  const waitingOf = waitingPhotos(db);

  const requireLease = async (tx: Tx, claim: Claim): Promise<void> => {
    if (!(await jobs.renewLease(tx, claim))) throw new LeaseLost(`photos of import ${claim.subjectId}`);
  };

  /** Runs a transaction with the import, which is locked before the job as everywhere; `null` if it is gone. */
  const withLease = <Result>(claim: Claim, step: (tx: Tx, present: StoredImport | null) => Promise<Result>) =>
    db.write(async (tx) => {
      const row = await tx
        .selectFrom("imports")
        .select(IMPORT_COLUMNS)
        .where("id", "=", claim.subjectId)
        .where("file", "is not", null)
        .modifyEnd(db.forUpdate)
        .executeTakeFirst();
      await requireLease(tx, claim);
      return step(tx, row === undefined ? null : storedOf(row));
    });

  /** Whoever changes the dealer's images; `null` if the import is to fetch no more for the dealer. */
  const importer = async (tx: Tx, present: StoredImport, dealerId: number | null): Promise<Principal | null> => {
    const maker = await currentPrincipalOf(tx, present.by, clock.now());
    return workNeedsItsMakersRights(maker, dealerId) ? importerOf(present, maker) : null;
  };

  const photoWith = async (tx: Sql, dealer: number, sha256: string): Promise<string | null> => {
    const [row] = await tx.all(statements.withContent, { dealer, sha256 });
    return row === undefined ? null : storedAddressOf({ accountHash: row.account_hash, photoId: row.photo_id });
  };

  /** Gives the image its photo, or the one with the same bytes that came meanwhile. */
  const give = async (
    tx: Tx,
    { dealerId: dealer, vehicleId, address }: WaitingPhoto,
    { fetched, by }: { readonly fetched: Extract<Fetched, { photo: unknown }>; readonly by: Principal },
  ): Promise<"given" | "doubled" | "unwanted" | "again"> => {
    const now = clock.now();
    if ((await stored.lockedDealer(tx, vehicleId, dealer)) === null) return "unwanted";
    const same = fetched.kind === "made" ? await photoWith(tx, dealer, fetched.photo.sha256) : fetched.photo;
    const made = fetched.kind === "made" && same === null ? fetched.photo : null;
    const photo = made === null ? (same ?? "") : await stored.store(tx, made, { dealer, now });
    const changed = await changeImages(tx, { vehicleId, scope: dealer, now, by }, (images) =>
      imageFetched(images, address, photo),
    );
    if (changed !== null && !(changed instanceof Failure) && changed.isChanged) {
      const own = ownAddressIn(photo);
      await tx.all(statements.remember, { dealer, hash: hashOfAddress(address), photo: own?.photoId ?? "" });
      return made === null ? "doubled" : "given";
    }
    if (made !== null) await stored.unstore(tx, made.photoId);
    // A photo that was there is gone meanwhile: the address is fetched.
    return changed instanceof Failure ? "again" : "unwanted";
  };

  const settleIn = async (
    tx: Tx,
    {
      present,
      waiting,
      by,
    }: { readonly present: StoredImport; readonly waiting: WaitingPhoto; readonly by: Principal },
    fetched: Fetched,
  ): Promise<boolean> => {
    const { id, images } = present;
    const { place, address } = waiting;
    const at = { id, place, hash: hashOfAddress(address) };
    if (fetched.kind === "failed") {
      if ((await tx.all(statements.failed, { ...at, problem: fetched.problem })).length === 0) return false;
      await warnOfPhoto(tx, present, { place, address, problem: fetched.problem });
      await waitingOf.count(tx, id, { ...images, waiting: images.waiting - 1, failed: images.failed + 1 });
      return false;
    }
    const came = fetched.kind === "unwanted" ? "unwanted" : await give(tx, waiting, { fetched, by });
    if (came === "again" || (await tx.all(statements.done, at)).length === 0) return came === "given";
    const more = came === "unwanted" ? 0 : 1;
    await waitingOf.count(tx, id, { ...images, waiting: images.waiting - 1, fetched: images.fetched + more });
    return came === "given";
  };

  return {
    next: (claim) =>
      withLease(claim, async (tx, present) => {
        const end = (): Promise<void> => jobs.end(tx, "import-photos", claim.subjectId);
        // A stopped import keeps what waits, as it may be continued.
        if (present === null || !(fetchesPhotos(present.state) || isUnderWay(present))) return end().then(() => null);
        if ((await importer(tx, present, present.dealerId)) === null) {
          await waitingOf.leave(tx, present, RIGHTS_LOST);
          return end().then(() => null);
        }
        const rows = await tx
          .selectFrom("import_photos")
          .select(["place", "dealer_id", "vehicle_id", "address"])
          .where("import_id", "=", present.id)
          .where("problem", "is", null)
          .orderBy("place")
          .orderBy("address_hash")
          .limit(PER_STEP)
          .execute();
        if (rows.length > 0)
          return rows.map((row) => ({
            place: row.place,
            dealerId: row.dealer_id,
            vehicleId: row.vehicle_id,
            address: row.address,
          }));
        await waitingOf.forget(tx, present.id);
        return end().then(() => null);
      }),

    async known(id, { dealerId: dealer, vehicleId, address }) {
      const isWanted = (await db.all(statements.wanted, { dealer, vehicleId, address })).length > 0;
      const photos = await photosOf(db, dealer, [address]);
      const [failed] = await db.all(statements.problem, { id, dealer, hash: hashOfAddress(address) });
      return { isWanted, photo: photos.get(address) ?? null, problem: failed?.problem ?? null };
    },

    photoWith: (dealer, sha256) => photoWith(db, dealer, sha256),

    settle: (claim, waiting, fetched) =>
      withLease(claim, async (tx, present) => {
        if (present === null || !(fetchesPhotos(present.state) || isUnderWay(present))) return null;
        const by = await importer(tx, present, waiting.dealerId);
        if (by === null) return null;
        await jobs.resetAttempts(tx, claim);
        return settleIn(tx, { present, waiting, by }, fetched);
      }),

    renewLease: (claim) => db.write((tx) => requireLease(tx, claim)),

    forgive: (claim) => db.write((tx) => jobs.resetAttempts(tx, claim)),

    addMissingJobs: () =>
      db.write(async (tx) => {
        const without = await tx
          .selectFrom("imports")
          .select(["id", "dealer_id"])
          .where("state", "in", ["completed", "needs_confirmation"])
          .where((row) =>
            row.exists(row.selectFrom("import_photos").select("place").whereRef("import_id", "=", "imports.id")),
          )
          .execute();
        for (const { id, dealer_id } of without)
          await jobs.add(tx, { kind: "import-photos", queue: dealer_id ?? QUEUE_OF_MANY_DEALERS, subject: id });
      }),
  };
};

/** True for an import whose missing vehicles were confirmed. Its rows are done. */
const isUnderWay = ({ state, progress, stops }: StoredImport): boolean =>
  (state === "queued" || state === "running") && progress.pass === "missing" && !stops;
