import type { Principal } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import type { ImageRules } from "../images/image-list.ts";
import { FOREIGN_PHOTO, isOwnAddress } from "../images/own-address.ts";
import { JsonRecord } from "../stored-json.ts";
import { comparedBy, duplicateIssues, fieldsToBeUnique, UNIQUE_FIELDS } from "../vehicles/duplicates.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { NewVehicleFields } from "../vehicles/vehicle-repository.ts";
import { baseAfter, type MergedImages, mergedImages } from "./bases.ts";
import { Candidates } from "./candidates.ts";
import type { ImportIssue } from "./import-issue.ts";
import type { ExistingImage, RowStep, StoredRow } from "./import-repository.ts";
import { comparedKey, type Decision } from "./matching.ts";
import type { Base, NewBase } from "./merge.ts";
import { baseInPhotos, inPhotos, NO_PHOTOS, photosOfBatch } from "./photos-of-addresses.ts";
import {
  aboutRow,
  type BatchContext,
  decideAbout,
  failedRow,
  idsOf,
  type LoadedBatch,
  type ReadRow,
  type RowResult,
  undecided,
  withoutDealer,
} from "./row-decision.ts";
import { setImages } from "./row-images.ts";
import type { RowValues } from "./values/values.ts";

/** What a row changes. For a new vehicle, these are the fields that the row sets. */
const changesOf = (
  decision: Decision,
  sent: RowValues["fields"],
  soldPrices: LoadedBatch["soldPrices"],
): StoredRow["changes"] => {
  if (decision.outcome === "created") {
    const { fields } = decision;
    const changes: Record<string, readonly [null, unknown]> = {};
    for (const field of Object.keys(fields) as (keyof NewVehicleFields)[])
      if (fields[field] !== null && sent[field] !== undefined) changes[field] = [null, fields[field]];
    return changes;
  }
  if (decision.outcome !== "updated") return {};
  const { vehicle, update } = decision;
  const stored: Readonly<Record<string, unknown>> = { ...vehicle, sold_price: soldPrices.get(vehicle.id) };
  return Object.fromEntries(
    Object.entries(update).flatMap(([field, value]) =>
      stored[field] === value || field === "undo_sale" ? [] : [[field, [stored[field] ?? null, value]]],
    ),
  );
};

/** What a row says of the vehicle that it creates, in the form in which fields are stored. */
const saidOfNew = (sent: ReadRow["values"]["fields"], fields: NewVehicleFields): Base => {
  const said: Record<string, unknown> = {};
  for (const field of Object.keys(sent)) said[field] = fields[field as keyof NewVehicleFields] ?? null;
  return said;
};

/** The time after which other work may run in between, even within a transaction. */
export const TURN_MS = 2;

/** The number of changed images after which a transaction ends, as other writers are waiting. */
const MAX_IMAGES_PER_TRANSACTION = 200;

/** An upper bound of the number of images that a row removed or added. */
const changedImages = ({ changes }: RowResult): number =>
  (changes.images ?? []).reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);

interface Parts {
  readonly clock: Clock;
  readonly images: ImageRules;
  /** Lets other work run in between. */
  readonly pause: () => Promise<void>;
}

/** Processes the rows of a batch, or checks what they would change. */
export const makeRows = ({ clock, images: rules, pause }: Parts) => {
  /** What would be wrong with the images of a vehicle. */
  const imageErrors = (wanted: readonly string[] | null, nameOf: BatchContext["nameOf"]): ImportIssue[] => {
    const path = nameOf("images");
    if (wanted !== null && wanted.length > rules.max)
      return [
        {
          path,
          code: "too_many_images",
          message: `makes ${wanted.length} images; a vehicle has ${rules.max} at most`,
        },
      ];
    const [issue] = wanted?.flatMap((address) => rules.issuesOf(address)) ?? [];
    return issue === undefined ? [] : [{ path, code: "value_invalid", message: issue.message }];
  };

  /** The faults of addresses that name photos of another dealer, or none. */
  const foreignPhotos = async (
    step: RowStep,
    {
      dealerId,
      present,
      wanted,
    }: {
      readonly dealerId: number;
      readonly present: readonly ExistingImage[];
      readonly wanted: readonly string[] | null;
    },
  ): Promise<readonly ImportIssue[]> => {
    const has = new Set(present.map(({ address }) => address));
    for (const address of wanted ?? [])
      if (isOwnAddress(address) && !has.has(address) && !(await step.hasPhoto(dealerId, address)))
        return [{ path: "images", code: "value_invalid", message: FOREIGN_PHOTO }];
    return [];
  };

  /** The faults of a vehicle whose VIN or stock number another one has, if its dealer refuses that. */
  const duplicatesOf = async (
    step: RowStep,
    decision: Exclude<Decision, { outcome: "failed" }>,
    { refusesDuplicates = false, nameOf }: BatchContext,
  ): Promise<readonly ImportIssue[]> => {
    if (!refusesDuplicates || decision.outcome === "unchanged") return [];
    const isNew = decision.outcome === "created";
    const after = isNew ? decision.fields : { ...decision.vehicle, ...decision.update };
    const fields = isNew ? UNIQUE_FIELDS : fieldsToBeUnique(decision.vehicle, decision.update);
    if (fields.every((field) => after[field] === null)) return [];
    const found = await step.refusedDuplicates(comparedBy(after, fields), isNew ? null : decision.vehicle.id);
    return duplicateIssues(found).map(({ path, message }) => ({
      path: nameOf(path),
      code: "duplicate_vehicle",
      message,
    }));
  };

  /** Makes the change that was decided, and returns the changed vehicle. */
  const applyDecision = async (
    { vehicles }: RowStep,
    decision: Exclude<Decision, { outcome: "failed" }>,
    { dealerId, by }: { readonly dealerId: number; readonly by: Principal },
  ): Promise<Vehicle> => {
    if (decision.outcome === "unchanged") return decision.vehicle;
    if (decision.outcome === "created") {
      const created = await vehicles.insert(decision.fields, by);
      if (!(created instanceof JsonRecord))
        throw new Error(`dealer ${dealerId} is gone within a transaction that keeps it`);
      return { ...decision.fields, id: created.id };
    }
    const { id } = decision.vehicle;
    const changes = decision.update;
    const updated = await vehicles.update({ id, scope: dealerId, changes, now: clock.now(), versions: null, by });
    if (!(updated instanceof JsonRecord)) throw new Error(`vehicle ${id} is gone within a transaction that locked it`);
    return { ...decision.vehicle, ...changes };
  };

  /** Makes what was decided of a row: the change of its vehicle, what its file said, and its images. */
  const write = async (
    step: RowStep,
    decision: Exclude<Decision, { outcome: "failed" }>,
    {
      batch,
      dealerId,
      values,
      present,
      images,
      wanted,
    }: {
      readonly batch: LoadedBatch;
      readonly dealerId: number;
      readonly values: RowValues;
      readonly present: readonly ExistingImage[];
      readonly images: MergedImages;
      readonly wanted: readonly string[] | null;
    },
  ): Promise<number> => {
    const { by, merging = null, options } = batch;
    const vehicle = await applyDecision(step, decision, { dealerId, by });
    batch.candidates.add(vehicle);
    if (merging !== null) {
      const said = decision.outcome === "created" ? saidOfNew(values.fields, decision.fields) : decision.said;
      const base = baseAfter(batch.bases.get(vehicle.id) ?? null, said, images.said);
      if (base !== null) batch.newBases.push({ vehicleId: vehicle.id, dealerId, base });
    }
    if (wanted === null) return vehicle.id;
    const primary = options.images === "exactly" ? (values.primary ?? values.images?.[0]) : undefined;
    const isTouched = decision.outcome !== "unchanged";
    await setImages(
      step,
      { vehicleId: vehicle.id, present, wanted, primary, isTouched, most: rules.max },
      { by, dealerId, clock },
    );
    return vehicle.id;
  };

  /** Decides what to do for a row and returns the result. Unless rows are only checked, the change is made. */
  const apply = async (step: RowStep, row: ReadRow, batch: LoadedBatch): Promise<RowResult> => {
    const { options, nameOf, merging = null } = batch;
    const about = aboutRow(row, options);
    const early = undecided(row, about, nameOf);
    if (early !== null) return early;
    const { values } = row;
    const dealerId = Number(row.dealerId);
    if (!(await batch.hasDealer(dealerId))) {
      const fault = { code: "dealer_unknown", message: `dealer ${dealerId} does not exist` };
      return withoutDealer(about, values, { path: nameOf("dealer_id"), ...fault });
    }
    const { decision, warnings: spared } = decideAbout(row, { ...about, dealerId }, { batch, clock });
    if (decision.outcome === "failed") return failedRow(about, ...decision.errors);
    const refused = await duplicatesOf(step, decision, batch);
    if (refused.length > 0) return failedRow(about, ...refused);
    const there = decision.outcome === "created" ? null : decision.vehicle;
    const present = there === null ? [] : (batch.images.get(there.id) ?? []);
    const photoOf = (address: string): string => batch.photoOf(dealerId, address);
    const named = values.images?.map((address) => rules.storedForm?.(address) ?? address) ?? null;
    const sent = { ...values, images: named === null ? null : inPhotos(named, photoOf) };
    const said = there !== null && merging?.isOn === true ? (batch.bases.get(there.id) ?? null) : null;
    const base = said === null ? null : baseInPhotos(said, photoOf);
    const merged = mergedImages(sent, present, { way: options.images, base, merging });
    // What is kept are the file's own addresses, which stay what they are if a photo of them goes.
    const images = named === null ? merged : { ...merged, said: { ...merged.said, images: named } };
    const foreign = await foreignPhotos(step, { dealerId, present, wanted: images.wanted });
    const wrong = [
      ...imageErrors(images.wanted, nameOf),
      ...foreign.map((fault) => ({ ...fault, path: nameOf("images") })),
    ];
    if (wrong.length > 0 && !batch.isLenient) return failedRow(about, ...wrong);
    const wanted = wrong.length > 0 ? null : images.wanted;
    const further = [...spared, ...wrong.map((fault) => ({ ...fault, message: `${fault.message}; the images stay` }))];
    const result = {
      ...about,
      warnings: [...values.warnings, ...further, ...(decision.outcome === "created" ? [] : decision.warnings)],
      outcome: decision.outcome === "unchanged" && wanted !== null ? ("updated" as const) : decision.outcome,
      changes: {
        ...changesOf(decision, values.fields, batch.soldPrices),
        ...(wanted !== null && { images: [present.map(({ address }) => address), wanted] as const }),
      },
      kept: decision.outcome === "created" ? [] : [...decision.kept, ...images.kept],
      errors: [],
      wasThere: there !== null && there.status !== "sold",
    };
    if (batch.isCheck) return { ...result, vehicle_id: there?.id ?? null };
    const shown = new Set(wanted ?? present.map(({ address }) => address));
    const elsewhere = (sent.images ?? []).filter((address) => !isOwnAddress(address) && shown.has(address));
    const written = { batch, dealerId, values: sent, present, images, wanted };
    return { ...result, elsewhere, vehicle_id: await write(step, decision, written) };
  };

  /**
   * The results of these rows, all within one step. If they change many images, only the first rows are processed; the
   * others need another step.
   */
  return async (step: RowStep, rows: readonly ReadRow[], context: BatchContext): Promise<readonly RowResult[]> => {
    const candidates = new Candidates();
    const vehicleIds: number[] = [];
    const idsOfDealers = new Map<number, readonly number[]>();
    const keys = Map.groupBy(rows, ({ dealerId }) => dealerId);
    for (const dealerId of [...keys.keys()].filter((id) => id !== null).sort((one, other) => one - other)) {
      const ofDealer = keys.get(dealerId) ?? [];
      const compared = ofDealer.map(({ values }) => comparedKey(values.key));
      const ids = ofDealer.flatMap(({ values }) => idsOf(values, dealerId, context.merging ?? null));
      for (const vehicle of await step.vehiclesWith(dealerId, { keys: compared, ids })) {
        candidates.add(vehicle);
        vehicleIds.push(vehicle.id);
        idsOfDealers.set(dealerId, [...(idsOfDealers.get(dealerId) ?? []), vehicle.id]);
      }
    }
    const isAsked = rows.some(({ values }) => values.images !== null) && vehicleIds.length > 0;
    const images = isAsked ? await step.imagesOf(vehicleIds) : new Map();
    const namesSoldPrices = rows.some(({ values }) => (values.fields.sold_price ?? null) !== null);
    const soldPrices = namesSoldPrices && vehicleIds.length > 0 ? await step.soldPricesOf(vehicleIds) : new Map();
    const bases = new Map<number, Base>();
    const { merging = null } = context;
    if (merging !== null)
      for (const [dealerId, vehicleIds] of idsOfDealers)
        for (const [id, base] of await step.basesOf(merging.source, { dealerId, vehicleIds })) bases.set(id, base);
    const newBases: NewBase[] = [];
    const known = new Map<number, boolean>();
    const dealers = new Map([...idsOfDealers].flatMap(([dealer, ids]) => ids.map((id) => [id, dealer] as const)));
    const photoOf =
      context.knowsPhotos === true
        ? await photosOfBatch(step, { rows, bases, dealerOf: (id) => dealers.get(id) })
        : NO_PHOTOS;
    const batch: LoadedBatch = {
      ...context,
      photoOf,
      candidates,
      images,
      soldPrices,
      bases,
      newBases,
      async hasDealer(id) {
        const is = known.get(id) ?? (await step.hasDealer(id));
        known.set(id, is);
        return is;
      },
    };
    const results: RowResult[] = [];
    let since = clock.steadyMs();
    let changed = 0;
    for (const row of rows) {
      if (clock.steadyMs() - since >= TURN_MS) {
        await pause();
        since = clock.steadyMs();
      }
      const result = await apply(step, row, batch);
      const { outcome, vehicle_id, compared } = result;
      context.seen.add({ dealer_id: row.dealerId, ...compared, vehicle_id, outcome });
      results.push(result);
      changed += context.isCheck ? 0 : changedImages(result);
      if (changed >= MAX_IMAGES_PER_TRANSACTION) break;
    }
    if (merging !== null && newBases.length > 0) {
      await pause();
      await step.storeBases(merging.source, newBases, clock.now());
    }
    await pause();
    return results;
  };
};
