import { sql } from "kysely";
import { storedAddressOf } from "../../../core/images/own-address.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { type Param, sqlStatement } from "../query/statement.ts";

/** The form in which fetched addresses are found. */
export const hashOfAddress = (address: string): string => new Bun.CryptoHasher("sha256").update(address).digest("hex");

interface Wanted {
  readonly [name: string]: string | number;
  readonly dealer: number;
  readonly hashes: string;
}

/**
 * The photos that a dealer has of addresses elsewhere: their stored addresses, by the addresses. A photo that was
 * removed, or that another dealer has by now, is none of them.
 */
export const photosOfAddresses = (db: SqlDatabase) => {
  const any = sqlStatement<object, { dealer: number }>(
    db,
    (param) => sql<object>`SELECT 1 FROM fetched_photos WHERE dealer_id = ${param("dealer")} LIMIT 1`,
  );
  const found = sqlStatement<{ address_hash: string; photo_id: string; account_hash: string }, Wanted>(
    db,
    (param: Param<Wanted>) => sql<{
      address_hash: string;
      photo_id: string;
      account_hash: string;
    }>`SELECT fetched.address_hash, fetched.photo_id, account_hash
      FROM ${db.jsonRows(param("hashes"), { hash: "text" })} AS given
      CROSS JOIN fetched_photos AS fetched CROSS JOIN photos CROSS JOIN photo_accounts
      WHERE fetched.dealer_id = ${param("dealer")} AND fetched.address_hash = given.hash
        AND photos.photo_id = fetched.photo_id AND gone = 0 AND photo_accounts.dealer_id = ${param("dealer")}
        AND (photos.dealer_id = ${param("dealer")} OR EXISTS (SELECT 1 FROM vehicle_images AS own
          JOIN vehicles ON vehicles.id = own.vehicle_id AND vehicles.dealer_id = ${param("dealer")}
          WHERE substr(own.image_url, 1, 6) = 'photo:' AND substr(own.image_url, 40, 32) = fetched.photo_id))`,
  );
  return async (tx: Sql, dealer: number, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    // Most dealers have none, and hashes cost more than this look.
    if (addresses.length === 0 || (await tx.all(any, { dealer })).length === 0) return new Map();
    const byHash = new Map(addresses.map((address) => [hashOfAddress(address), address]));
    const rows = await tx.all(found, { dealer, hashes: JSON.stringify([...byHash.keys()].map((hash) => [hash])) });
    return new Map(
      rows.map((row) => [
        byHash.get(row.address_hash) ?? "",
        storedAddressOf({ accountHash: row.account_hash, photoId: row.photo_id }),
      ]),
    );
  };
};
