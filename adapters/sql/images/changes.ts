import { Failure, invalid, type Outcome } from "../../../core/failure.ts";
import { IMAGE_FIELDS, ImageChanges, PHOTO_FACTS, type StoredImage } from "../../../core/images/image.ts";
import type { ChangedImages, ChangeImages, ImageChange, ImageStep } from "../../../core/images/image-repository.ts";
import { FOREIGN_PHOTO } from "../../../core/images/own-address.ts";
import { recordNameOf } from "../audit/audited-change.ts";
import { auditTrail } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { type Param, param, params, scopedStatement, statement } from "../query/statement.ts";
import type { NewRow } from "../query/tables.ts";
import { NO_FACTS, type PhotoFacts, photoFacts } from "./photo-facts.ts";
import { auditedOf, INSERTED, imageOf, imagesOfVehicle, type OfVehicle, scopedVehicleId } from "./rows.ts";

/** The columns that a change may set. */
const CHANGED = [...(Object.keys(ImageChanges.properties) as (keyof ImageChanges)[]), ...PHOTO_FACTS];

/** The values of a new image's fields that were not sent. */
const UNSET = Object.fromEntries(INSERTED.map((name) => [name, null]));

/** The values of the statements, besides those of the columns that they set. */
type ChangeValues = OfVehicle & { readonly imageId: number; readonly display_order: number; readonly now: string };
type OfImage = OfVehicle & Pick<ChangeValues, "imageId">;
const of: Param<ChangeValues> = param;

/** Statements that change images. With a scope, each of them works only if the vehicle belongs to the scope's dealer. */
const statementsOf = (db: SqlDatabase) => {
  const change = (narrowed: boolean) =>
    db
      .updateTable("vehicle_images")
      .where("id", "=", of("imageId"))
      .where("vehicle_id", "=", scopedVehicleId(narrowed));
  return {
    /** Reads vehicle `vehicleId` if it is in scope, and locks it until the end of the transaction. */
    vehicle: scopedStatement((narrowed, _: Param<OfVehicle>) =>
      db
        .selectFrom("vehicles")
        .select(["dealer_id", "updated_at", recordNameOf("vehicles").as("name")])
        .where("id", "=", of("vehicleId"))
        .$if(narrowed, (query) => query.where("dealer_id", "=", of("scope")))
        .modifyEnd(db.forUpdate),
    ),
    images: scopedStatement((narrowed, _: Param<OfVehicle>) => imagesOfVehicle(db, narrowed)),
    touch: scopedStatement((narrowed, _: Param<Pick<ChangeValues, "vehicleId" | "scope" | "now">>) =>
      db
        .updateTable("vehicles")
        .set({ updated_at: db.nextTimestamp("updated_at", of("now")) })
        .where("id", "=", of("vehicleId"))
        .$if(narrowed, (query) => query.where("dealer_id", "=", of("scope"))),
    ),
    insert: statement(() =>
      db
        .insertInto("vehicle_images")
        .values(params(INSERTED) satisfies NewRow<"vehicle_images">)
        .returning(IMAGE_FIELDS),
    ),
    update: scopedStatement((narrowed) => change(narrowed).set(params(CHANGED)).returning(IMAGE_FIELDS)),
    place: scopedStatement((narrowed, _: Param<Omit<ChangeValues, "now">>) =>
      change(narrowed).set({ display_order: of("display_order") }),
    ),
    mark: scopedStatement((narrowed, _: Param<OfImage>) => change(narrowed).set({ is_primary: 1 })),
    unmarkOthers: scopedStatement((narrowed, _: Param<OfImage>) =>
      db
        .updateTable("vehicle_images")
        .set({ is_primary: 0 })
        .where("vehicle_id", "=", scopedVehicleId(narrowed))
        .where("is_primary", "=", 1)
        .where("id", "!=", of("imageId")),
    ),
    remove: scopedStatement((narrowed, _: Param<OfImage>) =>
      db
        .deleteFrom("vehicle_images")
        .where("id", "=", of("imageId"))
        .where("vehicle_id", "=", scopedVehicleId(narrowed)),
    ),
  };
};

const byPlace = (one: StoredImage, other: StoredImage): number =>
  one.display_order - other.display_order || one.id - other.id;

/** Changes the images of a vehicle within a transaction; see the port for what it guarantees. */
export const imageChanges = (db: SqlDatabase) => {
  const statements = statementsOf(db);
  const audit = auditTrail(db);

  const factsOfPhoto = photoFacts(db);

  /** The facts of the photos that new addresses name, by address; `null` if the dealer does not have one of them. */
  const factsIn = async (
    tx: Sql,
    dealer: number,
    { steps, present }: { readonly steps: readonly ImageStep[]; readonly present: readonly StoredImage[] },
  ): Promise<ReadonlyMap<string, PhotoFacts> | null> => {
    const found = new Map<string, PhotoFacts>();
    for (const step of steps) {
      const address =
        step.does === "add" ? step.image.image_url : step.does === "change" ? step.changes.image_url : undefined;
      const isKept = step.does === "change" && present.some((one) => one.id === step.id && one.image_url === address);
      if (address === undefined || isKept) continue;
      const facts = await factsOfPhoto(tx, dealer, address);
      if (facts === null) return null;
      found.set(address, facts);
    }
    return found;
  };

  /** Takes the steps of a decision. */
  const taking = (
    tx: Sql,
    {
      vehicleId,
      scope,
      now,
      by,
      vehicle,
    }: ImageChange & { readonly vehicle: { dealerId: number; recordName: string } },
    {
      present,
      factsOf,
    }: { readonly present: readonly StoredImage[]; readonly factsOf: (address: string) => PhotoFacts },
  ) => {
    const images = new Map(present.map((image) => [image.id, image]));
    /** The stored ids of new images. */
    const stored = new Map<number, number>();
    const idOf = (id: number): number => stored.get(id) ?? id;
    const at = { vehicleId, scope };
    const record = (
      action: Parameters<typeof audit>[1]["action"],
      resourceId: number | null,
      { before, after }: Pick<Parameters<typeof audit>[1], "before" | "after">,
    ) => audit(tx, { at: now, by, action, resourceId, ...vehicle, before, after });
    const imageAt = (id: number): StoredImage => {
      const image = images.get(idOf(id));
      if (image === undefined) throw new Error("a decision on images names an image that the vehicle does not have");
      return image;
    };
    const unmarkOthers = async (imageId: number): Promise<void> => {
      await tx.all(statements.unmarkOthers(scope), { ...at, imageId });
      for (const image of images.values())
        if (image.is_primary && image.id !== imageId) images.set(image.id, { ...image, is_primary: false });
    };
    const take = {
      async add({ id, image }: Extract<ImageStep, { does: "add" }>) {
        if (image.is_primary) await unmarkOthers(0);
        const values = {
          ...UNSET,
          ...image,
          ...factsOf(image.image_url),
          vehicle_id: vehicleId,
          is_primary: image.is_primary ? 1 : 0,
          created_at: now,
        };
        const [row] = await tx.all(statements.insert, values);
        if (row === undefined) throw new Error("an inserted image was not returned");
        const after = imageOf(row);
        stored.set(id, after.id);
        images.set(after.id, after);
        await record("image.added", after.id, { before: null, after: auditedOf(after) });
      },
      async change({ id, changes }: Extract<ImageStep, { does: "change" }>) {
        const before = imageAt(id);
        const imageId = before.id;
        if (changes.is_primary === true) await unmarkOthers(imageId);
        const isOther = changes.image_url !== undefined && changes.image_url !== before.image_url;
        const wanted = { ...before, ...changes, ...(isOther && factsOf(changes.image_url ?? "")) };
        const values = { ...wanted, is_primary: wanted.is_primary ? 1 : 0, ...at, imageId };
        const [row] = await tx.all(statements.update(scope), values);
        if (row === undefined) throw new Error("a changed image was not returned");
        const after = imageOf(row);
        images.set(imageId, after);
        const { vehicle_id: _, ...fields } = auditedOf(before);
        await record("image.changed", imageId, { before: fields, after: auditedOf(after) });
      },
      async remove({ id }: Extract<ImageStep, { does: "remove" }>) {
        const before = imageAt(id);
        await tx.all(statements.remove(scope), { ...at, imageId: id });
        images.delete(id);
        await record("image.removed", id, { before: auditedOf(before), after: null });
      },
      async mark({ id }: Extract<ImageStep, { does: "mark" }>) {
        await tx.all(statements.mark(scope), { ...at, imageId: id });
        images.set(id, { ...imageAt(id), is_primary: true });
      },
      async order({ images: ordered }: Extract<ImageStep, { does: "order" }>) {
        for (const { id, display_order } of ordered) {
          const image = imageAt(id);
          if (image.display_order === display_order) continue;
          await tx.all(statements.place(scope), { ...at, imageId: image.id, display_order });
          images.set(image.id, { ...image, display_order });
        }
        await record("image.ordered", null, {
          before: { image_ids: present.map(({ id }) => id) },
          after: { vehicle_id: vehicleId, image_ids: ordered.map(({ id }) => idOf(id)) },
        });
      },
    };
    return {
      take: (step: ImageStep): Promise<void> => (take[step.does] as (step: ImageStep) => Promise<void>)(step),
      all: (): readonly StoredImage[] => [...images.values()].sort(byPlace),
      named: (id: number | undefined): StoredImage | null => (id === undefined ? null : (images.get(idOf(id)) ?? null)),
    };
  };

  return async (
    tx: Sql,
    change: ImageChange,
    decide: Parameters<ChangeImages>[1],
  ): Promise<Outcome<ChangedImages> | null> => {
    const { vehicleId, scope, versions = null, isTouched = false, now } = change;
    const [row] = await tx.all(statements.vehicle(scope), { vehicleId, scope });
    if (row === undefined || versions?.includes(row.updated_at) === false) return null;
    const present = (await tx.all(statements.images(scope), { vehicleId, scope })).map(imageOf);
    const decided = decide(present);
    if (decided instanceof Failure) return decided;
    const { steps, named } = decided;
    const vehicle = { dealerId: row.dealer_id, recordName: row.name };
    const facts = await factsIn(tx, row.dealer_id, { steps, present });
    if (facts === null) return invalid({ path: change.field ?? "image_url", message: FOREIGN_PHOTO });
    const factsOf = (address: string): PhotoFacts => facts.get(address) ?? NO_FACTS;
    const taken = taking(tx, { ...change, vehicle }, { present, factsOf });
    for (const step of steps) await taken.take(step);
    const images = taken.all();
    const isChanged = steps.length > 0;
    // An order of no images is recorded, but is no other state of the vehicle.
    if (isChanged && !isTouched && present.length + images.length > 0)
      await tx.all(statements.touch(scope), { vehicleId, scope, now });
    return { images, isChanged, named: taken.named(named), isNew: named !== undefined && named < 0 };
  };
};
