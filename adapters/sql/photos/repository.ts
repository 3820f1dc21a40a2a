import { sql } from "kysely";
import { Failure } from "../../../core/failure.ts";
import { IMAGE_FIELDS } from "../../../core/images/image.ts";
import {
  type NewPhoto,
  NO_SUCH_IMAGE,
  PHOTO_GONE,
  type PhotoRepository,
} from "../../../core/photos/photo-repository.ts";
import { imageChanges } from "../images/changes.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, scopedStatement, sqlStatement } from "../query/statement.ts";
import { storedPhotos } from "./stored-photos.ts";

const IS_PHOTO = sql`substr(image_url, 1, 6) = 'photo:'`;
const PHOTO_ID = sql`substr(image_url, 40, 32)`;

const statementsOf = (db: SqlDatabase) => ({
  vehicle: scopedStatement<{ dealer_id: number; images: number; same: number }>((narrowed) => ({
    compile: () =>
      sql<{ dealer_id: number; images: number; same: number }>`SELECT dealer_id,
          (SELECT count(*) FROM vehicle_images WHERE vehicle_id = vehicles.id) AS images,
          (SELECT count(*) FROM vehicle_images JOIN photos ON photo_id = ${PHOTO_ID} AND sha256 = ${param("sha256")}
            WHERE vehicle_id = vehicles.id AND ${IS_PHOTO}) AS same
        FROM vehicles WHERE id = ${param("vehicleId")} ${narrowed ? sql`AND dealer_id = ${param("scope")}` : sql``}`.compile(
        db,
      ),
  })),
  same: scopedStatement<{ image_url: string }>((narrowed) => ({
    compile: () =>
      sql<{ image_url: string }>`SELECT image_url FROM vehicle_images
        JOIN photos ON photo_id = ${PHOTO_ID} AND sha256 = ${param("sha256")}
        WHERE ${IS_PHOTO} AND vehicle_id = (SELECT id FROM vehicles WHERE id = ${param("vehicleId")}
          ${narrowed ? sql`AND dealer_id = ${param("scope")}` : sql``}) ORDER BY vehicle_images.id LIMIT 1`.compile(db),
  })),
  image: scopedStatement((narrowed) =>
    db
      .selectFrom("vehicle_images")
      .select(IMAGE_FIELDS)
      .where("id", "=", param("imageId"))
      .where((row) =>
        row(
          "vehicle_id",
          "=",
          row
            .selectFrom("vehicles")
            .select("vehicles.id")
            .where("vehicles.id", "=", param("vehicleId"))
            .$if(narrowed, (query) => query.where("vehicles.dealer_id", "=", param("scope"))),
        ),
      ),
  ),
  bytes: sqlStatement<{ bytes: number }>(
    db,
    sql`SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes FROM photos WHERE dealer_id = ${param("dealer")}`,
  ),
  shown: sqlStatement<{ id: number }>(
    db,
    sql`SELECT vehicle_images.id FROM vehicle_images JOIN vehicles ON vehicles.id = vehicle_id
        JOIN photo_accounts ON photo_accounts.dealer_id = vehicles.dealer_id AND account_hash = ${param("account")}
      WHERE ${IS_PHOTO} AND ${PHOTO_ID} = ${param("photoId")} LIMIT 1`,
  ),
});

/** Photos in SQL; see the port for what it guarantees. */
export const makePhotoRepository = (db: SqlDatabase): PhotoRepository => {
  const statements = statementsOf(db);

  const changeImages = imageChanges(db);
  const stored = storedPhotos(db);

  return {
    async vehicle(vehicleId, scope, sha256) {
      const [row] = await db.all(statements.vehicle(scope), { vehicleId, scope, sha256 });
      return row === undefined
        ? null
        : { dealerId: row.dealer_id, images: Number(row.images), hasPhoto: Number(row.same) > 0 };
    },

    async bytesOf(dealer) {
      const [row] = await db.all(statements.bytes, { dealer });
      return Number(row?.bytes ?? 0);
    },

    change: ({ vehicleId, scope, ...change }, { sha256, photo }, decide) =>
      db.write(async (tx) => {
        const dealer = await stored.lockedDealer(tx, vehicleId, scope);
        if (dealer === null) return null;
        const [same] = await tx.all(statements.same(scope), { vehicleId, scope, sha256 });
        if (same === undefined && photo === null) return PHOTO_GONE;
        const isStored = same === undefined;
        const address = same?.image_url ?? (await stored.store(tx, photo as NewPhoto, { dealer, now: change.now }));
        const changed = await changeImages(tx, { vehicleId, scope, ...change }, (present) => decide(present, address));
        if (changed !== null && !(changed instanceof Failure)) return { ...changed, isStored };
        if (isStored) await stored.unstore(tx, photo?.photoId ?? "");
        return changed;
      }),

    async image(vehicleId, imageId, scope) {
      const [vehicle] = await db.all(statements.vehicle(scope), { vehicleId, scope, sha256: "" });
      if (vehicle === undefined) return null;
      const [row] = await db.all(statements.image(scope), { vehicleId, imageId, scope });
      return row === undefined ? NO_SUCH_IMAGE : { ...row, is_primary: row.is_primary === 1 };
    },

    isShown: async ({ accountHash, photoId }) =>
      (await db.all(statements.shown, { account: accountHash, photoId })).length > 0,
  };
};
