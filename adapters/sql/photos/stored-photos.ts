import { sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import { storedAddressOf } from "../../../core/images/own-address.ts";
import type { NewPhoto } from "../../../core/photos/photo-repository.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, params, scopedStatement, sqlStatement, statement } from "../query/statement.ts";
import type { NewRow } from "../query/tables.ts";

const COLUMNS = [
  ...(["photo_id", "dealer_id", "sha256", "width", "height"] as const),
  ...(["placeholder", "bytes", "files", "created_at", "gone"] as const),
];

const statementsOf = (db: SqlDatabase) => ({
  locked: scopedStatement((narrowed) =>
    db
      .selectFrom("vehicles")
      .select("dealer_id")
      .where("id", "=", param("vehicleId"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")))
      .modifyEnd(db.forUpdate),
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
});

/** Stores what is known of photos, within the transaction that gives them to images. The vehicle is locked first. */
export const storedPhotos = (db: SqlDatabase) => {
  const statements = statementsOf(db);
  return {
    /** The dealer of a vehicle, which is locked; `null` if it is out of scope. */
    async lockedDealer(tx: Sql, vehicleId: number, scope: DealerScope): Promise<number | null> {
      const [row] = await tx.all(statements.locked(scope), { vehicleId, scope });
      return row?.dealer_id ?? null;
    },
    /** Stores a photo, and returns the address of its images. */
    async store(
      tx: Sql,
      { files, photoId, ...photo }: NewPhoto,
      { dealer, now }: { readonly dealer: number; readonly now: string },
    ): Promise<string> {
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
    },
    /** Takes a photo back that no image got. */
    async unstore(tx: Sql, photoId: string): Promise<void> {
      await tx.all(statements.unstore, { photo_id: photoId });
    },
  };
};
