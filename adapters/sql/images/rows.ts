import { type RawBuilder, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import { IMAGE_FIELDS, type StoredImage } from "../../../core/images/image.ts";
import type { SqlDatabase } from "../query/database.ts";
import { type Param, param } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";

/** The columns of a new image. */
export const INSERTED = IMAGE_FIELDS.filter((name) => name !== "id");

/** A row of an image. */
export type ImageRow = Row<"vehicle_images">;

/** The image of a row. */
export const imageOf = (row: ImageRow): StoredImage => ({ ...row, is_primary: row.is_primary === 1 });

/** An image as the audit log keeps it: without what follows from its photo. */
export const auditedOf = ({ width: _width, height: _height, placeholder: _placeholder, ...audited }: StoredImage) =>
  audited;

/** The vehicle whose images a statement is about. */
export type OfVehicle = { readonly vehicleId: number; readonly scope: DealerScope };
const of: Param<OfVehicle> = param;

/** The id of vehicle `vehicleId`, if it is in scope. */
export const scopedVehicleId = (narrowed: boolean): RawBuilder<number> =>
  narrowed
    ? sql<number>`(SELECT id FROM vehicles WHERE id = ${of("vehicleId")} AND dealer_id = ${of("scope")})`
    : of("vehicleId");

/** The images of vehicle `vehicleId` in their order. */
export const imagesOfVehicle = (db: SqlDatabase, narrowed: boolean) =>
  db
    .selectFrom("vehicle_images")
    .select(IMAGE_FIELDS)
    .where("vehicle_id", "=", scopedVehicleId(narrowed))
    .orderBy("display_order")
    .orderBy("id");
