import { type SqlBool, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import { IMAGE_FIELDS } from "../../../core/images/image.ts";
import type { ImageRepository } from "../../../core/images/image-repository.ts";
import type { ImagesOfVehiclesRepository } from "../../../core/images/images-of-vehicles.ts";
import type { PrimaryImageRepository } from "../../../core/images/primary-images-of-vehicles.ts";
import { mapped } from "../../../core/long-items.ts";
import type { SqlDatabase } from "../query/database.ts";
import { isWithin } from "../query/scope.ts";
import { idsValue, JSON_ESCAPE_FACTOR, mayBeLong, readByIds, slicedRows } from "../query/slices.ts";
import { type Param, param, scopedStatement } from "../query/statement.ts";
import { imageChanges } from "./changes.ts";
import { type ImageRow, imageOf } from "./rows.ts";

const isImage = (row: { readonly [Column in keyof ImageRow]: ImageRow[Column] | null }): row is ImageRow =>
  row.id !== null;

/**
 * The number of times that a response can contain an image's address: if the delivery service has the image, there are
 * the address and four variants.
 */
const ADDRESSES_PER_IMAGE = 5;
const OTHER_BYTES = 500;
const MAX_ALT_BYTES = 1000;
const MAX_PLACEHOLDER_BYTES = 3000;
const MAX_ROW_BYTES =
  (2048 * ADDRESSES_PER_IMAGE + MAX_ALT_BYTES) * JSON_ESCAPE_FACTOR + MAX_PLACEHOLDER_BYTES + OTHER_BYTES;

const BYTES = sql<number>`octet_length(image_url) * ${sql.lit(JSON_ESCAPE_FACTOR * ADDRESSES_PER_IMAGE)}
  + COALESCE(octet_length(alt), 0) * ${sql.lit(JSON_ESCAPE_FACTOR)} + COALESCE(octet_length(placeholder), 0) + ${sql.lit(OTHER_BYTES)}`;

type OfVehicles = { readonly ids: string; readonly scope: DealerScope };
const of: Param<OfVehicles> = param;

/** Statements that read the images of a list of vehicles, of those that are in scope. */
const statementsOf = (db: SqlDatabase) => {
  const listed = db.jsonRows(of("ids"), { listed_id: "integer" });
  return {
    /** The vehicles whose ids are in `ids`, each with its primary image if it has one. */
    primaries: scopedStatement((narrowed, _: Param<OfVehicles>) =>
      db
        .selectFrom("vehicles")
        .leftJoin("vehicle_images", (join) =>
          join.onRef("vehicle_images.vehicle_id", "=", "vehicles.id").on("vehicle_images.is_primary", "=", sql.lit(1)),
        )
        .select(["vehicles.id as of_vehicle", ...IMAGE_FIELDS.map((name) => `vehicle_images.${name}` as const)])
        .select(
          sql<number>`(SELECT count(*) FROM vehicle_images AS every WHERE every.vehicle_id = vehicles.id)`.as("count"),
        )
        .where(sql<SqlBool>`vehicles.id IN (SELECT listed_id FROM ${listed} AS listed)`)
        .$if(narrowed, (query) => query.where("vehicles.dealer_id", "=", of("scope"))),
    ),
    /** All images of the vehicles whose ids are in `ids`, the primary one of each first. */
    ofVehicles: scopedStatement((narrowed, _: Param<OfVehicles>) =>
      db
        .selectFrom("vehicle_images")
        .select(IMAGE_FIELDS)
        .where(
          sql<SqlBool>`vehicle_id IN (SELECT vehicles.id FROM ${listed} AS listed
            CROSS JOIN vehicles WHERE vehicles.id = listed_id ${narrowed ? sql`AND vehicles.dealer_id = ${of("scope")}` : sql``})`,
        )
        .orderBy("vehicle_id")
        .orderBy("is_primary", "desc")
        .orderBy("display_order")
        .orderBy("id"),
    ),
  };
};

/** Images in SQL; see the port for what it guarantees. Changes of one vehicle's images are serialized. */
export const makeImageRepository = (
  db: SqlDatabase,
): ImageRepository & PrimaryImageRepository & ImagesOfVehiclesRepository => {
  const statements = statementsOf(db);
  const changeImages = imageChanges(db);
  return {
    async primaries(vehicleIds, scope) {
      const rows = await db.all(statements.primaries(scope), { ids: idsValue(vehicleIds), scope });
      return new Map(
        rows.map(({ of_vehicle, count, ...row }) => [of_vehicle, { image: isImage(row) ? imageOf(row) : null, count }]),
      );
    },

    async imagesOf(vehicleIds, scope) {
      const rows = await db.all(statements.ofVehicles(scope), { ids: idsValue(vehicleIds), scope });
      return Map.groupBy(rows.map(imageOf), ({ vehicle_id }) => vehicle_id);
    },

    async list(vehicleId, scope, page) {
      const vehicle = db.selectFrom("vehicles").select("id").where("id", "=", vehicleId).where(isWithin(scope));
      if ((await vehicle.executeTakeFirst()) === undefined) return null;
      const images = db.selectFrom("vehicle_images").where("vehicle_id", "in", vehicle);
      const ordered = images.orderBy("display_order").orderBy("id").limit(page.limit).offset(page.offset);
      const rows = images.select(IMAGE_FIELDS);
      const long = mayBeLong(page, MAX_ROW_BYTES)
        ? slicedRows(await ordered.select(["id", BYTES.as("bytes")]).execute(), page, (ids) =>
            readByIds<ImageRow>(db, db, { ids, rows }),
          )
        : null;
      const items = long === null ? await ordered.select(IMAGE_FIELDS).execute() : [];
      const counted = await images.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirst();
      return {
        total: counted?.total ?? 0,
        items: items.map(imageOf),
        ...(long !== null && { long: mapped(long, imageOf) }),
      };
    },

    change: (change, decide) => db.write((tx) => changeImages(tx, change, decide)),
  };
};
