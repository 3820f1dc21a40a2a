import { type SqlBool, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import { IMAGE_FIELDS } from "../../../core/images/image.ts";
import type { ImageRepository } from "../../../core/images/image-repository.ts";
import type { ImagesOfVehiclesRepository } from "../../../core/images/images-of-vehicles.ts";
import type { PrimaryImageRepository } from "../../../core/images/primary-images-of-vehicles.ts";
import { mapped } from "../../../core/long-items.ts";
import type { SqlDatabase } from "../query/database.ts";
import { idsValue, JSON_ESCAPE_FACTOR, mayBeLong, orderedIdsValue, rowsByIds, slicedRows } from "../query/slices.ts";
import { type Param, param, scopedStatement } from "../query/statement.ts";
import { imageChanges } from "./changes.ts";
import { type ImageRow, imageOf, imagesOfVehicle, type OfVehicle, scopedVehicleId } from "./rows.ts";

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
type PageOfVehicle = OfVehicle & { readonly limit: number; readonly offset: number };

/** Statements that read images. With a scope, each of them works only if the vehicle belongs to the scope's dealer. */
const statementsOf = (db: SqlDatabase) => {
  const listed = db.jsonRows(of("ids"), { listed_id: "integer" });
  const page = (narrowed: boolean, param: Param<PageOfVehicle>) =>
    imagesOfVehicle(db, narrowed).limit(param("limit")).offset(param("offset"));
  return {
    /** Reads vehicle `vehicleId` if it is in scope. */
    vehicle: scopedStatement((narrowed, param: Param<OfVehicle>) =>
      db
        .selectFrom("vehicles")
        .select("id")
        .where("id", "=", param("vehicleId"))
        .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
    ),
    page: scopedStatement(page),
    weights: scopedStatement((narrowed, param: Param<PageOfVehicle>) =>
      page(narrowed, param)
        .clearSelect()
        .select(["id", BYTES.as("bytes")]),
    ),
    slice: scopedStatement<ImageRow, OfVehicle & OfVehicles>((narrowed) =>
      rowsByIds<ImageRow>(db, imagesOfVehicle(db, narrowed)),
    ),
    total: scopedStatement((narrowed, _: Param<OfVehicle>) =>
      db
        .selectFrom("vehicle_images")
        .select((image) => image.fn.countAll<number>().as("total"))
        .where("vehicle_id", "=", scopedVehicleId(narrowed)),
    ),
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
      const [vehicle] = await db.all(statements.vehicle(scope), { vehicleId, scope });
      if (vehicle === undefined) return null;
      const values = { vehicleId, scope, limit: page.limit, offset: page.offset };
      const long = mayBeLong(page, MAX_ROW_BYTES)
        ? slicedRows(await db.all(statements.weights(scope), values), page, (ids) =>
            db.all(statements.slice(scope), { vehicleId, scope, ids: orderedIdsValue(ids) }),
          )
        : null;
      const items = long === null ? await db.all(statements.page(scope), values) : [];
      const [counted] = await db.all(statements.total(scope), { vehicleId, scope });
      return {
        total: counted?.total ?? 0,
        items: items.map(imageOf),
        ...(long !== null && { long: mapped(long, imageOf) }),
      };
    },

    change: (change, decide) => db.write((tx) => changeImages(tx, change, decide)),
  };
};
