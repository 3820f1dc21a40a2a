import { sql } from "kysely";
import { AS_STORED, type ShownAddresses, shownList } from "../../../core/images/own-address.ts";
import { type CorrectionRepository, MOST_COMPARED } from "../../../core/imports/correction-repository.ts";
import type { Base } from "../../../core/imports/merge.ts";
import { addressesIn, baseInPhotos } from "../../../core/imports/photos-of-addresses.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { photosOfAddresses } from "../photos/photos-of-addresses.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, scopedStatement, sqlStatement } from "../query/statement.ts";
import { baseIn } from "./bases.ts";

/** What is kept of files as lists of addresses. */
const LISTS: ReadonlySet<string> = new Set(["images", "images_then"]);

/** What files said of vehicles, in SQL; see the port for what it guarantees. */
export const makeCorrectionRepository = (db: SqlDatabase, shown: ShownAddresses = AS_STORED): CorrectionRepository => {
  const vehicle = scopedStatement((narrowed) =>
    db
      .selectFrom("vehicle_documents")
      .select(["dealer_id", "document"])
      .where("id", "=", param("id"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
  );
  const images = sqlStatement(
    db,
    sql<{ image_url: string }>`SELECT image_url FROM vehicle_images WHERE vehicle_id = ${param("id")}
      AND EXISTS (SELECT 1 FROM vehicles WHERE vehicles.id = vehicle_id AND vehicles.dealer_id = ${param("dealer")})
      ORDER BY display_order, id`,
  );
  const nameIn = (table: "import_sources" | "import_mappings", type: string) =>
    sql`(SELECT name FROM ${sql.table(table)} AS named WHERE named.dealer_id = said.dealer_id
      AND ${sql.lit(`${type}:`)} || CAST(named.id AS TEXT) = said.source)`;
  const said = sqlStatement(
    db,
    sql<{
      source: string;
      name: string | null;
      updated_at: string;
      status: string | null;
      base: string;
    }>`SELECT source, updated_at, status, base,
        COALESCE(${nameIn("import_sources", "source")}, ${nameIn("import_mappings", "mapping")}) AS name
      FROM import_bases AS said WHERE vehicle_id = ${param("id")} AND dealer_id = ${param("dealer")}
      ORDER BY updated_at DESC, source LIMIT ${sql.lit(MOST_COMPARED)}`,
  );
  const photosOf = photosOfAddresses(db);
  const shownBase = (base: Base): Base =>
    Object.fromEntries(
      Object.entries(base).map(([field, value]) => [field, LISTS.has(field) ? shownList(shown, value) : value]),
    );
  return {
    async find(id, scope) {
      const row = await db.first(vehicle(scope), { id, scope });
      if (row === null) return null;
      const rows = await db.all(said, { id, dealer: row.dealer_id });
      const addresses = rows.length === 0 ? [] : await db.all(images, { id, dealer: row.dealer_id });
      const bases = rows.map(baseIn);
      // An address whose photo was fetched stands for that photo, as in the next file.
      const photos = await photosOf(db, row.dealer_id, bases.flatMap(addressesIn));
      return {
        vehicle: JSON.parse(row.document) as Vehicle,
        images: addresses.map(({ image_url }) => shown(image_url)),
        said: rows.map((one, place) => ({
          source: one.source,
          name: one.name,
          at: one.updated_at,
          base: shownBase(baseInPhotos(bases[place] ?? {}, (address) => photos.get(address) ?? address)),
        })),
      };
    },
  };
};
