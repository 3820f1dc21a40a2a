import type { ImageRules } from "../images/image-list.ts";
import { FOREIGN_PHOTO, isOwnAddress } from "../images/own-address.ts";
import {
  type ComparedVehicle,
  comparedBy,
  type Duplicates,
  duplicateIssues,
  fieldsToBeUnique,
  UNIQUE_FIELDS,
} from "../vehicles/duplicates.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { NewVehicleFields } from "../vehicles/vehicle-repository.ts";
import { type MergedImages, mergedImages } from "./bases.ts";
import type { ImportIssue } from "./import-issue.ts";
import type { ExistingImage, StoredRow } from "./import-repository.ts";
import type { Decision, RowContext } from "./matching.ts";
import { baseInPhotos, inPhotos } from "./photos-of-addresses.ts";
import {
  type AboutRow,
  aboutRow,
  type BatchContext,
  decideAbout,
  failedRow,
  type LoadedBatch,
  type ReadRow,
  type RowResult,
  undecided,
  withoutDealer,
} from "./row-decision.ts";
import type { RowValues } from "./values/values.ts";

/** What a row is to do, as far as its batch says. What it names beside that is read for it. */
export interface RowPlan {
  readonly about: AboutRow;
  readonly dealerId: number;
  readonly decision: Exclude<Decision, { outcome: "failed" }>;
  /** The vehicle as it is; `null` if the row creates it. */
  readonly there: Vehicle | null;
  /** The row's values, with its images as they are stored. */
  readonly sent: RowValues;
  readonly present: readonly ExistingImage[];
  readonly images: MergedImages;
  /** Bad values that cost their fields and not the row. */
  readonly spared: readonly ImportIssue[];
}

/** What was read for a plan. */
export interface ReadForPlan {
  /** The duplicates of its vehicle that the dealer refuses. */
  readonly duplicates: Duplicates;
  /** True if its images are to be a photo that the dealer does not have. */
  readonly namesForeignPhoto: boolean;
}

/** What becomes of a row: its result, and the images that its vehicle gets; `null` if they stay. */
export interface DecidedRow {
  readonly result: RowResult;
  readonly wanted: readonly string[] | null;
}

/** What a row is to do, or its result if it fails by itself. */
export const planOf = (
  row: ReadRow,
  batch: LoadedBatch,
  { clock, rules }: { readonly clock: RowContext["clock"]; readonly rules: ImageRules },
): RowPlan | RowResult => {
  const { options, nameOf, merging = null } = batch;
  const { values } = row;
  const about = aboutRow(row, options);
  const early = undecided(row, about, nameOf);
  if (early !== null) return early;
  const dealerId = Number(row.dealerId);
  if (!batch.dealers.has(dealerId)) {
    const fault = { code: "dealer_unknown", message: `dealer ${dealerId} does not exist` };
    return withoutDealer(about, values, { path: nameOf("dealer_id"), ...fault });
  }
  const { decision, warnings: spared } = decideAbout(row, { ...about, dealerId }, { batch, clock });
  if (decision.outcome === "failed") return failedRow(about, ...decision.errors);
  const there = decision.outcome === "created" ? null : decision.vehicle;
  const present = there === null ? [] : (batch.images.get(there.id) ?? []);
  const photoOf = (address: string): string => batch.photoOf(dealerId, address);
  const named = values.images?.map((address) => rules.storedForm?.(address) ?? address) ?? null;
  const sent = { ...values, images: named === null ? null : inPhotos(named, photoOf) };
  const said = there === null ? null : (batch.bases.get(there.id) ?? null);
  const base = said === null ? null : baseInPhotos(said, photoOf);
  const merged = mergedImages(sent, present, { way: options.images, base, merging });
  // What is kept are the file's own addresses, which stay what they are if a photo of them goes.
  const images = named === null ? merged : { ...merged, said: { ...merged.said, images: named } };
  return { about, dealerId, decision, there, sent, present, images, spared };
};

/** The vehicle as others are compared with it, if its dealer may refuse duplicates of it; `null` if nothing is. */
export const comparedOf = (
  { decision }: RowPlan,
  { refusesDuplicates = false }: BatchContext,
): { readonly vehicle: ComparedVehicle; readonly except: number | null } | null => {
  if (!refusesDuplicates || decision.outcome === "unchanged") return null;
  const isNew = decision.outcome === "created";
  const after = isNew ? decision.fields : { ...decision.vehicle, ...decision.update };
  const fields = isNew ? UNIQUE_FIELDS : fieldsToBeUnique(decision.vehicle, decision.update);
  if (fields.every((field) => after[field] === null)) return null;
  return { vehicle: comparedBy(after, fields), except: isNew ? null : decision.vehicle.id };
};

/** The photos of the service among its images that its vehicle does not have yet. */
export const newPhotosOf = ({ present, images: { wanted } }: RowPlan): readonly string[] => {
  const has = new Set(present.map(({ address }) => address));
  return (wanted ?? []).filter((address) => isOwnAddress(address) && !has.has(address));
};

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

/** What is wrong with the images that a vehicle would have. */
const imageFaults = (
  wanted: readonly string[] | null,
  { namesForeignPhoto }: ReadForPlan,
  { max, issuesOf }: ImageRules,
): readonly Omit<ImportIssue, "path">[] => {
  const foreign = namesForeignPhoto ? [{ code: "value_invalid", message: FOREIGN_PHOTO }] : [];
  if (wanted !== null && wanted.length > max) {
    const message = `makes ${wanted.length} images; a vehicle has ${max} at most`;
    return [{ code: "too_many_images", message }, ...foreign];
  }
  const [issue] = wanted?.flatMap((address) => issuesOf(address)) ?? [];
  return [...(issue === undefined ? [] : [{ code: "value_invalid", message: issue.message }]), ...foreign];
};

/** Decides what becomes of a row. Its vehicle's id is the present one. */
export const decidedRow = (
  { about, decision, there, sent, present, images, spared }: RowPlan,
  read: ReadForPlan,
  { batch, rules }: { readonly batch: LoadedBatch; readonly rules: ImageRules },
): DecidedRow => {
  const { nameOf } = batch;
  const refused = duplicateIssues(read.duplicates).map(({ path, message }) => ({
    path: nameOf(path),
    code: "duplicate_vehicle",
    message,
  }));
  if (refused.length > 0) return { result: failedRow(about, ...refused), wanted: null };
  const wrong = imageFaults(images.wanted, read, rules).map((fault) => ({ path: nameOf("images"), ...fault }));
  if (wrong.length > 0 && !batch.isLenient) return { result: failedRow(about, ...wrong), wanted: null };
  const wanted = wrong.length > 0 ? null : images.wanted;
  const further = [...spared, ...wrong.map((fault) => ({ ...fault, message: `${fault.message}; the images stay` }))];
  const result = {
    ...about,
    warnings: [...sent.warnings, ...further, ...(decision.outcome === "created" ? [] : decision.warnings)],
    outcome: decision.outcome === "unchanged" && wanted !== null ? ("updated" as const) : decision.outcome,
    vehicle_id: there?.id ?? null,
    changes: {
      ...changesOf(decision, sent.fields, batch.soldPrices),
      ...(wanted !== null && { images: [present.map(({ address }) => address), wanted] as const }),
    },
    kept: decision.outcome === "created" ? [] : [...decision.kept, ...images.kept],
    errors: [],
    wasThere: there !== null && there.status !== "sold",
  };
  if (batch.isCheck) return { result, wanted };
  const shown = new Set(wanted ?? present.map(({ address }) => address));
  const elsewhere = (sent.images ?? []).filter((address) => !isOwnAddress(address) && shown.has(address));
  return { result: { ...result, elsewhere }, wanted };
};
