import { type SqlBool, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
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
import type { Queries } from "../query/driver.ts";
import { isWithin } from "../query/scope.ts";
import { scopedStatement, sqlStatement } from "../query/statement.ts";
import { storedPhotos } from "./stored-photos.ts";

const IS_PHOTO = sql<SqlBool>`substr(image_url, 1, 6) = 'photo:'`;
const PHOTO_ID = sql<string>`substr(image_url, 40, 32)`;

type CountedVehicle = { dealer_id: number; images: number; same: number };

const vehicleIn = (on: Queries, id: number, scope: DealerScope) =>
  on.selectFrom("vehicles").select("id").where("id", "=", id).where(isWithin(scope));

const statementsOf = (db: SqlDatabase) => ({
  vehicle: scopedStatement<CountedVehicle, { vehicleId: number; scope: DealerScope; sha256: string }>(
    (narrowed, param) => ({
      compile: () =>
        sql<CountedVehicle>`SELECT dealer_id,
          (SELECT count(*) FROM vehicle_images WHERE vehicle_id = vehicles.id) AS images,
          (SELECT count(*) FROM vehicle_images JOIN photos ON photo_id = ${PHOTO_ID} AND sha256 = ${param("sha256")}
            WHERE vehicle_id = vehicles.id AND ${IS_PHOTO}) AS same
        FROM vehicles WHERE id = ${param("vehicleId")} ${narrowed ? sql`AND dealer_id = ${param("scope")}` : sql``}`.compile(
          db,
        ),
    }),
  ),
  shown: sqlStatement<{ id: number }, { account: string; photoId: string }>(
    db,
    (param) => sql`SELECT vehicle_images.id FROM vehicle_images JOIN vehicles ON vehicles.id = vehicle_id
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
      const { bytes } = await db
        .selectFrom("photos")
        .select(sql<number>`CAST(COALESCE(SUM(bytes), 0) AS BIGINT)`.as("bytes"))
        .where("dealer_id", "=", dealer)
        .executeTakeFirstOrThrow();
      return Number(bytes);
    },

    change: ({ vehicleId, scope, ...change }, { sha256, photo }, decide) =>
      db.write(async (tx) => {
        const dealer = await stored.lockedDealer(tx, vehicleId, scope);
        if (dealer === null) return null;
        const same = await tx
          .selectFrom("vehicle_images")
          .innerJoin("photos", (join) => join.on("photo_id", "=", PHOTO_ID).on("sha256", "=", sha256))
          .select("image_url")
          .where(IS_PHOTO)
          .where("vehicle_id", "=", vehicleIn(tx, vehicleId, scope))
          .orderBy("vehicle_images.id")
          .limit(sql.lit(1))
          .executeTakeFirst();
        if (same === undefined && photo === null) return PHOTO_GONE;
        const isStored = same === undefined;
        const address = same?.image_url ?? (await stored.store(tx, photo as NewPhoto, { dealer, now: change.now }));
        const changed = await changeImages(tx, { vehicleId, scope, ...change }, (present) => decide(present, address));
        if (changed !== null && !(changed instanceof Failure)) return { ...changed, isStored };
        if (isStored) await stored.unstore(tx, photo?.photoId ?? "");
        return changed;
      }),

    async image(vehicleId, imageId, scope) {
      if ((await vehicleIn(db, vehicleId, scope).executeTakeFirst()) === undefined) return null;
      const row = await db
        .selectFrom("vehicle_images")
        .select(IMAGE_FIELDS)
        .where("id", "=", imageId)
        .where("vehicle_id", "=", vehicleIn(db, vehicleId, scope))
        .executeTakeFirst();
      return row === undefined ? NO_SUCH_IMAGE : { ...row, is_primary: row.is_primary === 1 };
    },

    isShown: async ({ accountHash, photoId }) =>
      (await db.all(statements.shown, { account: accountHash, photoId })).length > 0,
  };
};
