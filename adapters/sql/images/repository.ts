import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { IMAGE_FIELDS, ImageChanges, MAX_DISPLAY_ORDER, type StoredImage } from "../../../core/images/image.ts";
import { imagePlan } from "../../../core/images/image-plan.ts";
import {
  IMAGES_FULL,
  type ImageDraft,
  type ImageRepository,
  NO_SUCH_IMAGE,
  NOT_THE_IMAGES,
} from "../../../core/images/image-repository.ts";
import type { ImagesOfVehiclesRepository } from "../../../core/images/images-of-vehicles.ts";
import type { PrimaryImageRepository } from "../../../core/images/primary-images.ts";
import { mapped } from "../../../core/long-items.ts";
import { DEFAULT_QUOTAS } from "../../../core/quotas.ts";
import { recordNameOf } from "../audit/audited-change.ts";
import { auditTrail } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import {
  idsValue,
  JSON_ESCAPE_FACTOR,
  type MeasuredRow,
  mayBeLong,
  orderedIdsValue,
  rowsByIds,
  slicedRows,
} from "../query/slices.ts";
import { param, params, scopedStatement, statement } from "../query/statement.ts";
import type { NewRow, Row } from "../query/tables.ts";

/** The columns of a new image. */
export const INSERTED = IMAGE_FIELDS.filter((name) => name !== "id");

/** The columns that a change may set. */
const CHANGED = Object.keys(ImageChanges.properties) as (keyof ImageChanges)[];

/** The values of a new image's fields that were not sent. */
const UNSET = Object.fromEntries(INSERTED.map((name) => [name, null]));

type ImageRow = Row<"vehicle_images">;

const isImage = (row: { readonly [Column in keyof ImageRow]: ImageRow[Column] | null }): row is ImageRow =>
  row.id !== null;

const imageOf = (row: ImageRow): StoredImage => ({ ...row, is_primary: row.is_primary === 1 });

/**
 * The number of times that a response can contain an image's address: if the delivery service has the image, there are
 * the address and four variants.
 */
const ADDRESSES_PER_IMAGE = 5;
const OTHER_BYTES = 500;
const MAX_ROW_BYTES = 2048 * JSON_ESCAPE_FACTOR * ADDRESSES_PER_IMAGE + OTHER_BYTES;

/** Statements on images. With a scope, each of them works only if the vehicle belongs to the scope's dealer. */
const statementsOf = (db: SqlDatabase) => {
  /** Reads vehicle `vehicleId` if it is in scope. In a transaction, it can be locked until the end. */
  const vehicle = (locked: boolean) =>
    scopedStatement((narrowed) =>
      db.build
        .selectFrom("vehicles")
        .select(["dealer_id", "updated_at", recordNameOf("vehicles").as("name")])
        .where("id", "=", param("vehicleId"))
        .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")))
        .$if(locked, (query) => query.modifyEnd(db.forUpdate)),
    );
  const scopedVehicleId = (narrowed: boolean): RawBuilder<number> =>
    narrowed
      ? sql<number>`(SELECT id FROM vehicles WHERE id = ${param("vehicleId")} AND dealer_id = ${param("scope")})`
      : param<number>("vehicleId");
  const images = (narrowed: boolean) =>
    db.build
      .selectFrom("vehicle_images")
      .select(IMAGE_FIELDS)
      .where("vehicle_id", "=", scopedVehicleId(narrowed))
      .orderBy("display_order")
      .orderBy("id");
  const one = (narrowed: boolean) => images(narrowed).where("id", "=", param("imageId"));
  const change = (narrowed: boolean) =>
    db.build
      .updateTable("vehicle_images")
      .where("id", "=", param("imageId"))
      .where("vehicle_id", "=", scopedVehicleId(narrowed));

  const bytes = sql<number>`octet_length(image_url) * ${sql.lit(JSON_ESCAPE_FACTOR * ADDRESSES_PER_IMAGE)} + ${sql.lit(OTHER_BYTES)}`;

  return {
    vehicle: vehicle(false),
    lockedVehicle: vehicle(true),
    page: scopedStatement((narrowed) => images(narrowed).limit(param<number>("limit")).offset(param<number>("offset"))),
    weights: scopedStatement<MeasuredRow>((narrowed) =>
      images(narrowed)
        .clearSelect()
        .select(["id", bytes.as("bytes")])
        .limit(param<number>("limit"))
        .offset(param<number>("offset")),
    ),
    slice: scopedStatement((narrowed) => rowsByIds<ImageRow>(db, images(narrowed))),
    every: scopedStatement(images),
    /** The vehicles whose ids are in `ids`, each with its primary image if it has one. */
    primaries: scopedStatement((narrowed) =>
      db.build
        .selectFrom("vehicles")
        .leftJoin("vehicle_images", (join) =>
          join.onRef("vehicle_images.vehicle_id", "=", "vehicles.id").on("vehicle_images.is_primary", "=", sql.lit(1)),
        )
        .select(["vehicles.id as of_vehicle", ...IMAGE_FIELDS.map((name) => `vehicle_images.${name}` as const)])
        .select(
          sql<number>`(SELECT count(*) FROM vehicle_images AS every WHERE every.vehicle_id = vehicles.id)`.as("count"),
        )
        .where(
          sql<SqlBool>`vehicles.id IN (SELECT listed_id FROM ${db.jsonRows(param<string>("ids"), { listed_id: "integer" })} AS listed)`,
        )
        .$if(narrowed, (query) => query.where("vehicles.dealer_id", "=", param("scope"))),
    ),
    /** All images of the vehicles whose ids are in `ids`, the primary one of each first. */
    ofVehicles: scopedStatement((narrowed) =>
      db.build
        .selectFrom("vehicle_images")
        .select(IMAGE_FIELDS)
        .where(
          sql<SqlBool>`vehicle_id IN (SELECT vehicles.id FROM ${db.jsonRows(param<string>("ids"), { listed_id: "integer" })} AS listed
            CROSS JOIN vehicles WHERE vehicles.id = listed_id ${narrowed ? sql`AND vehicles.dealer_id = ${param("scope")}` : sql``})`,
        )
        .orderBy("vehicle_id")
        .orderBy("is_primary", "desc")
        .orderBy("display_order")
        .orderBy("id"),
    ),
    one: scopedStatement(one),
    summary: scopedStatement((narrowed) =>
      db.build
        .selectFrom("vehicle_images")
        .select((image) => [
          image.fn.countAll<number>().as("total"),
          sql<number>`COALESCE(MAX(display_order), -1)`.as("highest"),
        ])
        .where("vehicle_id", "=", scopedVehicleId(narrowed)),
    ),
    insert: statement(() =>
      db.build
        .insertInto("vehicle_images")
        .values(params(INSERTED) satisfies NewRow<"vehicle_images">)
        .returning(IMAGE_FIELDS),
    ),
    withAddress: scopedStatement((narrowed) =>
      images(narrowed).where("image_url", "=", param("image_url")).limit(sql.lit(1)),
    ),
    touch: scopedStatement((narrowed) =>
      db.build
        .updateTable("vehicles")
        .set({ updated_at: db.nextTimestamp("updated_at", param("now")) })
        .where("id", "=", param("vehicleId"))
        .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
    ),
    unsetPrimary: scopedStatement((narrowed) =>
      db.build
        .updateTable("vehicle_images")
        .set({ is_primary: 0 })
        .where("vehicle_id", "=", scopedVehicleId(narrowed))
        .where("is_primary", "=", 1)
        .where("id", "!=", param("imageId")),
    ),
    update: scopedStatement((narrowed) => change(narrowed).set(params(CHANGED)).returning(IMAGE_FIELDS)),
    place: scopedStatement((narrowed) => change(narrowed).set({ display_order: param("display_order") })),
    makePrimary: scopedStatement((narrowed) => change(narrowed).set({ is_primary: 1 })),
    remove: scopedStatement((narrowed) =>
      db.build
        .deleteFrom("vehicle_images")
        .where("id", "=", param("imageId"))
        .where("vehicle_id", "=", scopedVehicleId(narrowed))
        .returning(IMAGE_FIELDS),
    ),
  };
};

/** A change of the images of a vehicle, which stays locked until its end. */
interface ImageChange {
  readonly vehicleId: number;
  readonly scope: DealerScope;
  readonly now: Timestamp;
  readonly by: Actor;
  readonly vehicle: { readonly dealerId: number; readonly recordName: string };
}

/** Images in SQL; see the port for what it guarantees. Changes of one vehicle's images are serialized. */
export const makeImageRepository = (
  db: SqlDatabase,
  mostImages = DEFAULT_QUOTAS.imagesPerVehicle,
): ImageRepository & PrimaryImageRepository & ImagesOfVehiclesRepository => {
  const statements = statementsOf(db);

  const audit = auditTrail(db);

  /** A vehicle in scope; `null` if there is no such vehicle. It stays locked. */
  const lockedRow = async (tx: Sql, vehicleId: number, scope: DealerScope) => {
    const [vehicle] = await tx.all(statements.lockedVehicle(scope), { vehicleId, scope });
    return vehicle ?? null;
  };

  const lockedVehicle = async (...asked: Parameters<typeof lockedRow>): Promise<ImageChange["vehicle"] | null> => {
    const row = await lockedRow(...asked);
    return row === null ? null : { dealerId: row.dealer_id, recordName: row.name };
  };

  const touch = (tx: Sql, { vehicleId, scope, now }: ImageChange) =>
    tx.all(statements.touch(scope), { vehicleId, scope, now });

  /** Inserts an image. If it is primary, the present primary one no longer is. */
  const addImage = async (
    tx: Sql,
    { vehicleId, scope, now, by, vehicle }: ImageChange,
    image: Required<ImageDraft>,
  ): Promise<StoredImage> => {
    if (image.is_primary) await tx.all(statements.unsetPrimary(scope), { vehicleId, scope, imageId: 0 });
    const [row] = await tx.all(statements.insert, {
      ...UNSET,
      ...image,
      vehicle_id: vehicleId,
      is_primary: image.is_primary ? 1 : 0,
      created_at: now,
    });
    if (row === undefined) throw new Error("an inserted image was not returned");
    const after = imageOf(row);
    await audit(tx, { at: now, by, action: "image.added", resourceId: row.id, ...vehicle, before: null, after });
    return after;
  };

  const changeImage = async (
    tx: Sql,
    { vehicleId, scope, now, by, vehicle }: ImageChange,
    { present, changes }: { readonly present: ImageRow; readonly changes: Partial<ImageDraft> },
  ): Promise<StoredImage> => {
    const imageId = present.id;
    if (changes.is_primary === true) await tx.all(statements.unsetPrimary(scope), { vehicleId, scope, imageId });
    const [row] = await tx.all(statements.update(scope), {
      ...present,
      ...changes,
      is_primary: changes.is_primary === undefined ? present.is_primary : changes.is_primary ? 1 : 0,
      vehicleId,
      scope,
      imageId,
    });
    if (row === undefined) throw new Error("a changed image was not returned");
    const { vehicle_id: _, ...before } = imageOf(present);
    const after = imageOf(row);
    await audit(tx, { at: now, by, action: "image.changed", resourceId: imageId, ...vehicle, before, after });
    return after;
  };

  /** Removes an image; `null` if the vehicle has no such image. */
  const removeImage = async (
    tx: Sql,
    { vehicleId, scope, now, by, vehicle }: ImageChange,
    imageId: number,
  ): Promise<StoredImage | null> => {
    const [removed] = await tx.all(statements.remove(scope), { vehicleId, scope, imageId });
    if (removed === undefined) return null;
    const before = imageOf(removed);
    await audit(tx, { at: now, by, action: "image.removed", resourceId: imageId, ...vehicle, before, after: null });
    return before;
  };

  const auditOrder = (
    tx: Sql,
    { vehicleId, now, by, vehicle }: ImageChange,
    ids: { readonly before: readonly number[]; readonly after: readonly number[] },
  ): Promise<void> =>
    audit(tx, {
      at: now,
      by,
      action: "image.ordered",
      resourceId: null,
      ...vehicle,
      before: { image_ids: ids.before },
      after: { vehicle_id: vehicleId, image_ids: ids.after },
    });

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
      const rows = long === null ? await db.all(statements.page(scope), values) : [];
      const [summary] = await db.all(statements.summary(scope), { vehicleId, scope });
      return {
        total: summary?.total ?? 0,
        items: rows.map(imageOf),
        ...(long !== null && { long: mapped(long, imageOf) }),
      };
    },

    add({ vehicleId, scope, draft, now, by }) {
      return db.write(async (tx) => {
        const vehicle = await lockedVehicle(tx, vehicleId, scope);
        if (vehicle === null) return null;
        const change: ImageChange = { vehicleId, scope, now, by, vehicle };
        const [same] = await tx.all(statements.withAddress(scope), { vehicleId, scope, image_url: draft.image_url });
        if (same !== undefined) {
          const isMoved = draft.display_order !== undefined && draft.display_order !== same.display_order;
          const isMarked = draft.is_primary !== undefined && Number(draft.is_primary) !== same.is_primary;
          const isChanged = isMoved || isMarked;
          const image = isChanged ? await changeImage(tx, change, { present: same, changes: draft }) : imageOf(same);
          if (isChanged) await touch(tx, change);
          return { image, isNew: false };
        }
        const [present] = await tx.all(statements.summary(scope), { vehicleId, scope });
        const { total, highest } = present ?? { total: 0, highest: -1 };
        if (total >= mostImages) return IMAGES_FULL;
        const image = await addImage(tx, change, {
          ...draft,
          is_primary: draft.is_primary ?? total === 0,
          display_order: draft.display_order ?? Math.min(highest + 1, MAX_DISPLAY_ORDER),
        });
        await touch(tx, change);
        return { image, isNew: true };
      });
    },

    update({ vehicleId, imageId, scope, changes, now, by }) {
      return db.write(async (tx) => {
        const vehicle = await lockedVehicle(tx, vehicleId, scope);
        if (vehicle === null) return null;
        const [present] = await tx.all(statements.one(scope), { vehicleId, scope, imageId });
        if (present === undefined) return NO_SUCH_IMAGE;
        const change: ImageChange = { vehicleId, scope, now, by, vehicle };
        const changed = await changeImage(tx, change, { present, changes });
        await touch(tx, change);
        return changed;
      });
    },

    set({ vehicleId, scope, wanted, isTouched, versions = null, now, by }) {
      return db.write(async (tx) => {
        const row = await lockedRow(tx, vehicleId, scope);
        if (row === null || versions?.includes(row.updated_at) === false) return null;
        const vehicle = { dealerId: row.dealer_id, recordName: row.name };
        const change: ImageChange = { vehicleId, scope, now, by, vehicle };
        const rows = await tx.all(statements.every(scope), { vehicleId, scope });
        const present = rows.map(imageOf);
        const plan = imagePlan(present, wanted);
        if (plan.images.length > mostImages && plan.images.length > present.length) return IMAGES_FULL;
        let changed = plan.removed.length;
        for (const imageId of plan.removed) await removeImage(tx, change, imageId);
        const standing = new Map(rows.map((row) => [row.id, row]));
        const ids: number[] = [];
        let isReordered = false;
        // Primary images are marked last, as a vehicle never has two.
        for (const { id, image_url, display_order } of plan.images) {
          const row = id === null ? undefined : standing.get(id);
          if (row === undefined) {
            const added = await addImage(tx, change, { image_url, is_primary: false, display_order });
            standing.set(added.id, { ...added, is_primary: 0 });
            ids.push(added.id);
            changed += 1;
            continue;
          }
          ids.push(row.id);
          if (row.display_order === display_order) continue;
          await tx.all(statements.place(scope), { vehicleId, scope, imageId: row.id, display_order });
          standing.set(row.id, { ...row, display_order });
          isReordered = true;
        }
        if (isReordered) {
          changed += 1;
          await auditOrder(tx, change, { before: present.map(({ id }) => id), after: ids });
        }
        const primary = standing.get(ids[plan.images.findIndex(({ is_primary }) => is_primary)] ?? 0);
        if (primary !== undefined && primary.is_primary !== 1) {
          changed += 1;
          await changeImage(tx, change, { present: primary, changes: { is_primary: true } });
        }
        if (changed > 0 && !isTouched) await touch(tx, change);
        return changed > 0;
      });
    },

    reorder({ vehicleId, scope, imageIds, now, by }) {
      return db.write(async (tx) => {
        const vehicle = await lockedVehicle(tx, vehicleId, scope);
        if (vehicle === null) return null;
        const present = await tx.all(statements.every(scope), { vehicleId, scope });
        const wanted = new Set(imageIds);
        const complete = wanted.size === imageIds.length && present.length === imageIds.length;
        if (!complete || !present.every(({ id }) => wanted.has(id))) return NOT_THE_IMAGES;
        const change: ImageChange = { vehicleId, scope, now, by, vehicle };
        for (const [index, imageId] of imageIds.entries())
          await tx.all(statements.place(scope), { vehicleId, scope, imageId, display_order: index });
        await auditOrder(tx, change, { before: present.map(({ id }) => id), after: imageIds });
        if (imageIds.length > 0) await touch(tx, change);
        return (await tx.all(statements.every(scope), { vehicleId, scope })).map(imageOf);
      });
    },

    remove({ vehicleId, imageId, scope, now, by }) {
      return db.write(async (tx) => {
        const vehicle = await lockedVehicle(tx, vehicleId, scope);
        if (vehicle === null) return null;
        const change: ImageChange = { vehicleId, scope, now, by, vehicle };
        const removed = await removeImage(tx, change, imageId);
        if (removed === null) return NO_SUCH_IMAGE;
        const [first] = removed.is_primary ? await tx.all(statements.every(scope), { vehicleId, scope }) : [];
        if (first !== undefined) await tx.all(statements.makePrimary(scope), { vehicleId, scope, imageId: first.id });
        await touch(tx, change);
        return true;
      });
    },
  };
};
