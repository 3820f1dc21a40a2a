import { sql } from "kysely";
import type { PHOTO_FACTS, StoredImage } from "../../../core/images/image.ts";
import { ownAddressIn } from "../../../core/images/own-address.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { sqlStatement } from "../query/statement.ts";

/** What an image has of its photo. */
export type PhotoFacts = Pick<StoredImage, (typeof PHOTO_FACTS)[number]>;

/** What an image without a photo has. */
export const NO_FACTS: PhotoFacts = { width: null, height: null, placeholder: null };
const MARK = "photo:";

/**
 * The facts of the photo that a stored address names, for images of a dealer; `null` if the dealer has no such photo.
 * The photo cannot be removed before the transaction ends. Any other address has no facts.
 */
export const photoFacts = (db: SqlDatabase) => {
  const found = sqlStatement<PhotoFacts, { photoId: string; dealer: number; account: string }>(
    db,
    (param) => sql`SELECT width, height, placeholder FROM photos
      WHERE photo_id = ${param("photoId")} AND gone = 0
        AND EXISTS (SELECT 1 FROM photo_accounts WHERE dealer_id = ${param("dealer")} AND account_hash = ${param("account")})
        AND (dealer_id = ${param("dealer")} OR EXISTS (SELECT 1 FROM vehicle_images AS own
          JOIN vehicles ON vehicles.id = own.vehicle_id AND vehicles.dealer_id = ${param("dealer")}
          WHERE substr(own.image_url, 1, 6) = 'photo:' AND substr(own.image_url, 40, 32) = ${param("photoId")}))
      ${db.engine === "postgres" ? sql`FOR KEY SHARE OF photos` : sql``}`,
  );
  return async (tx: Sql, dealer: number, stored: string): Promise<PhotoFacts | null> => {
    if (!stored.startsWith(MARK)) return NO_FACTS;
    const own = ownAddressIn(stored);
    if (own === null) return null;
    const [facts] = await tx.all(found, { photoId: own.photoId, dealer, account: own.accountHash });
    return facts ?? null;
  };
};
