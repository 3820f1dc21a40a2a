import { sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import { storedAddressOf } from "../../../core/images/own-address.ts";
import type { NewPhoto } from "../../../core/photos/photo-repository.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { isWithin } from "../query/scope.ts";
import type { NewRow } from "../query/tables.ts";

/** Stores what is known of photos, within the transaction that gives them to images. The vehicle is locked first. */
export const storedPhotos = (db: SqlDatabase) => ({
  /** The dealer of a vehicle, which is locked; `null` if it is out of scope. */
  async lockedDealer(tx: Tx, vehicleId: number, scope: DealerScope): Promise<number | null> {
    const row = await tx
      .selectFrom("vehicles")
      .select("dealer_id")
      .where("id", "=", vehicleId)
      .where(isWithin(scope))
      .modifyEnd(db.forUpdate)
      .executeTakeFirst();
    return row?.dealer_id ?? null;
  },

  /** Stores a photo, and returns the address of its images. */
  async store(
    tx: Tx,
    { files, photoId, ...photo }: NewPhoto,
    { dealer, now }: { readonly dealer: number; readonly now: string },
  ): Promise<string> {
    const { account_hash: accountHash } = await tx
      .insertInto("photo_accounts")
      .values({ dealer_id: dealer, account_hash: crypto.randomUUID().replaceAll("-", "") })
      .onConflict((conflict) => conflict.column("dealer_id").doUpdateSet({ dealer_id: sql`excluded.dealer_id` }))
      .returning("account_hash")
      .executeTakeFirstOrThrow();
    const { sha256, width, height, placeholder, bytes } = photo;
    await tx
      .insertInto("photos")
      .values({
        photo_id: photoId,
        dealer_id: dealer,
        ...{ sha256, width, height, placeholder, bytes },
        files: JSON.stringify(files),
        created_at: now,
        gone: 0 as const,
      } satisfies NewRow<"photos">)
      .execute();
    return storedAddressOf({ accountHash, photoId });
  },

  /** Takes a photo back that no image got. */
  async unstore(tx: Tx, photoId: string): Promise<void> {
    await tx.deleteFrom("photos").where("photo_id", "=", photoId).execute();
  },
});
