import { sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import { Failure } from "../../../core/failure.ts";
import { IMAGE_FIELDS } from "../../../core/images/image.ts";
import { storedAddressOf } from "../../../core/images/own-address.ts";
import {
  type NewPhoto,
  NO_SUCH_IMAGE,
  PHOTO_GONE,
  type PhotoRepository,
} from "../../../core/photos/photo-repository.ts";
import { imageChanges } from "../images/changes.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, params, scopedStatement, sqlStatement, statement } from "../query/statement.ts";
import type { NewRow } from "../query/tables.ts";

const IS_PHOTO = sql`substr(image_url, 1, 6) = 'photo:'`;
const PHOTO_ID = sql`substr(image_url, 40, 32)`;

const COLUMNS = [
  ...(["photo_id", "dealer_id", "sha256", "width", "height"] as const),
  ...(["placeholder", "bytes", "files", "created_at", "gone"] as const),
];

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
  locked: scopedStatement((narrowed) =>
    db
      .selectFrom("vehicles")
      .select("dealer_id")
      .where("id", "=", param("vehicleId"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")))
      .modifyEnd(db.forUpdate),
  ),
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
  account: sqlStatement<{ account_hash: string }>(
    db,
    sql`INSERT INTO photo_accounts (dealer_id, account_hash) VALUES (${param("dealer")}, ${param("account")})
      ON CONFLICT (dealer_id) DO UPDATE SET dealer_id = excluded.dealer_id RETURNING account_hash`,
  ),
  insert: statement(() =>
    db
      .insertInto("photos")
      .values(params(COLUMNS) satisfies NewRow<"photos">)
      .returning("photo_id"),
  ),
  unstore: statement(() => db.deleteFrom("photos").where("photo_id", "=", param("photo_id"))),
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

  const dealerOf = async (tx: Sql, vehicleId: number, scope: DealerScope): Promise<number | null> => {
    const [row] = await tx.all(statements.locked(scope), { vehicleId, scope });
    return row?.dealer_id ?? null;
  };

  /** Stores what is known of a photo, and returns the address of its images. */
  const store = async (
    tx: Sql,
    { files, photoId, ...photo }: NewPhoto,
    { dealer, now }: { dealer: number; now: string },
  ) => {
    const account = crypto.randomUUID().replaceAll("-", "");
    const [row] = await tx.all(statements.account, { dealer, account });
    if (row === undefined) throw new Error("a dealer's account was not returned");
    const { sha256, width, height, placeholder, bytes } = photo;
    await tx.all(statements.insert, {
      photo_id: photoId,
      dealer_id: dealer,
      ...{ sha256, width, height, placeholder, bytes },
      files: JSON.stringify(files),
      created_at: now,
      gone: 0,
    });
    return storedAddressOf({ accountHash: row.account_hash, photoId });
  };

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
        const dealer = await dealerOf(tx, vehicleId, scope);
        if (dealer === null) return null;
        const [same] = await tx.all(statements.same(scope), { vehicleId, scope, sha256 });
        if (same === undefined && photo === null) return PHOTO_GONE;
        const isStored = same === undefined;
        const address = same?.image_url ?? (await store(tx, photo as NewPhoto, { dealer, now: change.now }));
        const changed = await changeImages(tx, { vehicleId, scope, ...change }, (present) => decide(present, address));
        if (changed !== null && !(changed instanceof Failure)) return { ...changed, isStored };
        if (isStored) await tx.all(statements.unstore, { photo_id: photo?.photoId ?? "" });
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
