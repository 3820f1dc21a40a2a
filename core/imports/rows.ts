import type { Principal } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import type { ImageRules } from "../images/image-list.ts";
import { FOREIGN_PHOTO, isOwnAddress } from "../images/own-address.ts";
import { JsonRecord } from "../stored-json.ts";
import { comparedBy, duplicateIssues, fieldsToBeUnique, UNIQUE_FIELDS } from "../vehicles/duplicates.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { NewVehicleFields } from "../vehicles/vehicle-repository.ts";
import { decideLeniently, implausibleMatch, type LenientDecision } from "./bad-cells.ts";
import { baseAfter, type Merging, mergedImages } from "./bases.ts";
import { Candidates } from "./candidates.ts";
import type { RowProblem } from "./file/file.ts";
import type { ImportOptions, RowOutcome } from "./import.ts";
import type { ImportIssue } from "./import-issue.ts";
import type { ExistingImage, RowStep, StoredRow } from "./import-repository.ts";
import { comparedKey, type Decision, decideRow, exportedVehicleOf, type RowContext, type SentRow } from "./matching.ts";
import type { Base, NewBase } from "./merge.ts";
import { type ImageWay, setImages } from "./row-images.ts";
import type { SeenRows } from "./seen-rows.ts";
import { quoted } from "./values/reading.ts";
import type { RowValues } from "./values/values.ts";

/** What is sent of one vehicle: by a row of a file, or an item of a batch. */
export interface ReadRow {
  readonly values: RowValues;
  readonly dealerId: number | null;
  /** What is wrong with the whole row. */
  readonly problem?: RowProblem | null;
}

/** What became of a row. Whoever sent it knows its place. */
export interface RowResult extends Omit<StoredRow, "place" | "line" | "row" | "cells" | "outcome"> {
  readonly outcome: Exclude<RowOutcome, "missing">;
}

/** Who sends the rows of a batch, and how the rows are processed. */
export interface BatchContext {
  readonly by: Principal;
  readonly seen: SeenRows;
  readonly options: Pick<ImportOptions, "mode" | "match"> & { readonly images: ImageWay };
  /** True if dealers may refuse vehicles with the VIN or stock number of another. */
  readonly refusesDuplicates?: boolean;
  /** True if rows are only checked. */
  readonly isCheck: boolean;
  /** The days after a sale within which a vehicle that comes back undoes it. */
  readonly resaleDays: number;
  /** How rows are compared with the last file, if they are. */
  readonly merging?: Merging | null;
  /** True if a bad value costs its field and not the row, unless it decides about the row. */
  readonly isLenient?: boolean;
  /** Returns the sender's name for a field. */
  readonly nameOf: (field: string) => string;
  /** True if sending this value would not change the stored one. */
  readonly isSame: (field: string, stored: unknown, sent: unknown) => boolean;
}

/** A batch with what was loaded from the database for its rows. */
interface LoadedBatch extends BatchContext {
  readonly candidates: Candidates;
  readonly images: ReadonlyMap<number, readonly ExistingImage[]>;
  readonly soldPrices: ReadonlyMap<number, number>;
  /** What the last file said of the vehicles, and what this one says. */
  readonly bases: ReadonlyMap<number, Base>;
  readonly newBases: NewBase[];
  readonly hasDealer: (id: number) => Promise<boolean>;
}

const issue = (code: string, message: string): ImportIssue => ({ path: "", code, message });

const DUPLICATE = issue("duplicate_in_file", "is named a second time");

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

/** The ids by which vehicles of a row are found: that of an exported one, and those that the last file called so. */
const idsOf = ({ exported, key }: RowValues, dealerId: number, merging: Merging | null): readonly number[] => [
  ...(exported === null ? [] : [exported.id]),
  ...(merging?.formerlyCalled(dealerId, key) ?? []),
];

/** What a row says of the vehicle that it creates, in the form in which fields are stored. */
const saidOfNew = (sent: ReadRow["values"]["fields"], fields: NewVehicleFields): Base => {
  const said: Record<string, unknown> = {};
  for (const field of Object.keys(sent)) said[field] = fields[field as keyof NewVehicleFields] ?? null;
  return said;
};

/** The length to which keys are cut in results. No vehicle has a longer key. */
const MAX_SHOWN_KEY = 100;
const shownKey = (key: string | null): string | null => key?.slice(0, MAX_SHOWN_KEY).toWellFormed() ?? null;

/** The time after which other work may run in between, even within a transaction. */
export const TURN_MS = 2;

/** The number of changed images after which a transaction ends, as other writers are waiting. */
const MAX_IMAGES_PER_TRANSACTION = 200;

/** An upper bound of the number of images that a row removed or added. */
const changedImages = ({ changes }: RowResult): number =>
  (changes.images ?? []).reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);

const decideStrictly = (row: SentRow, context: RowContext): LenientDecision => ({
  decision: decideRow(row, context),
  warnings: [],
});

interface Parts {
  readonly clock: Clock;
  readonly images: ImageRules;
  /** Lets other work run in between. */
  readonly pause: () => Promise<void>;
}

const HOW_CODES_WORK =
  "add it to the codes of a dealer, or choose dealer_by=id if the column has the ids of dealers here";

const NO_KEY = { vin: null, stock_number: null };

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

  /** Decides what to do for a row and returns the result. Unless rows are only checked, the change is made. */
  const apply = async (
    step: RowStep,
    { values, dealerId, problem = null }: ReadRow,
    batch: LoadedBatch,
  ): Promise<RowResult> => {
    const { warnings } = values;
    const { options, isCheck, nameOf, isSame, merging = null } = batch;
    const saidOf = (id: number): Base | null => batch.bases.get(id) ?? null;
    const baseOf = (id: number): Base | null => (merging?.isOn === true ? saidOf(id) : null);
    const compared = comparedKey(values.key);
    const { vin, stock_number } = values.key;
    const key = shownKey(options.match === "stock_number" ? (stock_number ?? vin) : (vin ?? stock_number));
    const base = { key, dealerId, compared, warnings };
    const failed = (...errors: readonly ImportIssue[]): RowResult => ({
      ...base,
      outcome: "failed",
      vehicle_id: null,
      changes: {},
      errors,
    });
    if (values.skipped !== undefined && problem === null)
      return {
        ...{ ...base, outcome: "skipped", vehicle_id: null, changes: {}, errors: [] },
        ...{ key: null, compared: NO_KEY, warnings: [values.skipped] },
      };
    if (problem !== null) return failed(issue(problem.code, problem.message));
    const noDealer = (code: string, message: string): RowResult => {
      const path = nameOf("dealer_id");
      // If the dealer is unreadable, that was already reported.
      const isSaid = values.errors.some((error) => error.path === path);
      return failed(...values.errors, ...(isSaid ? [] : [{ path, code, message }]));
    };
    if (dealerId === null && values.dealerCode !== undefined)
      return noDealer("dealer_unknown", `no dealer has the code ${quoted(values.dealerCode)}; ${HOW_CODES_WORK}`);
    if (dealerId === null) return noDealer("dealer_missing", "names no dealer");
    if (!(await batch.hasDealer(dealerId))) return noDealer("dealer_unknown", `dealer ${dealerId} does not exist`);
    const vehicles = batch.candidates.of(dealerId, compared, idsOf(values, dealerId, merging));
    // In files that this service wrote, two rows may have the same key, as two vehicles may have it.
    const isExported = exportedVehicleOf(values.exported, vehicles, options.match) !== undefined;
    if (!isExported && batch.seen.has(dealerId, compared)) return failed(...values.errors, DUPLICATE);
    const decideOne = batch.isLenient ? decideLeniently : decideStrictly;
    const { decision, warnings: spared } = decideOne(values, {
      clock,
      dealerId,
      options,
      vehicles,
      isStockTaken: isCheck && batch.seen.createsStockNumber(dealerId, compared.stock_number),
      soldPrices: batch.soldPrices,
      resaleDays: batch.resaleDays,
      merge: merging === null ? null : { baseOf, ownerOf: merging.ownerOf },
      saidOf,
      nameOf,
      isSame,
    });
    if (decision.outcome === "failed") return failed(...decision.errors);
    const implausible =
      decision.outcome === "created"
        ? null
        : implausibleMatch(values, decision.vehicle, { options, base: saidOf(decision.vehicle.id) });
    if (implausible !== null) return failed(implausible);
    if (decision.outcome !== "created" && batch.seen.hasVehicle(decision.vehicle.id)) return failed(DUPLICATE);
    const refused = await duplicatesOf(step, decision, batch);
    if (refused.length > 0) return failed(...refused);
    const present = decision.outcome === "created" ? [] : (batch.images.get(decision.vehicle.id) ?? []);
    const isNew = decision.outcome === "created";
    const sent = { ...values, images: values.images?.map((address) => rules.storedForm?.(address) ?? address) ?? null };
    const images = mergedImages(sent, present, {
      way: options.images,
      base: isNew ? null : baseOf(decision.vehicle.id),
      merging,
    });
    const foreign = await foreignPhotos(step, { dealerId, present, wanted: images.wanted });
    const wrong = [
      ...imageErrors(images.wanted, nameOf),
      ...foreign.map((fault) => ({ ...fault, path: nameOf("images") })),
    ];
    if (wrong.length > 0 && !batch.isLenient) return failed(...wrong);
    const wanted = wrong.length > 0 ? null : images.wanted;
    const further = [...spared, ...wrong.map((fault) => ({ ...fault, message: `${fault.message}; the images stay` }))];
    const result = {
      ...base,
      warnings: [...warnings, ...further, ...(decision.outcome === "created" ? [] : decision.warnings)],
      outcome: decision.outcome === "unchanged" && wanted !== null ? ("updated" as const) : decision.outcome,
      changes: {
        ...changesOf(decision, values.fields, batch.soldPrices),
        ...(wanted !== null && { images: [present.map(({ address }) => address), wanted] as const }),
      },
      kept: decision.outcome === "created" ? [] : [...decision.kept, ...images.kept],
      errors: [],
      wasThere: decision.outcome !== "created" && decision.vehicle.status !== "sold",
    };
    if (isCheck) return { ...result, vehicle_id: isNew ? null : decision.vehicle.id };
    const { by } = batch;
    const vehicle = await applyDecision(step, decision, { dealerId, by });
    batch.candidates.add(vehicle);
    if (merging !== null) {
      const said = decision.outcome === "created" ? saidOfNew(values.fields, decision.fields) : decision.said;
      const base = baseAfter(batch.bases.get(vehicle.id) ?? null, said, images.said);
      if (base !== null) batch.newBases.push({ vehicleId: vehicle.id, dealerId, base });
    }
    const primary = options.images === "exactly" ? (values.primary ?? sent.images?.[0]) : undefined;
    const isTouched = decision.outcome !== "unchanged";
    if (wanted !== null)
      await setImages(
        step,
        { vehicleId: vehicle.id, present, wanted, primary, isTouched, most: rules.max },
        { by, dealerId, clock },
      );
    return { ...result, vehicle_id: vehicle.id };
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
    const batch: LoadedBatch = {
      ...context,
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
