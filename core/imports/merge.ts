import type { Owner } from "../settings/field-owners.ts";
import { STAGES, VEHICLE_FIELDS } from "../vehicles/fields.ts";
import { generatedTitle, type Vehicle } from "../vehicles/vehicle.ts";

/** A value of a vehicle that stayed against the one of the file. */
export interface KeptValue {
  readonly field: string;
  readonly file: unknown;
  readonly ours: unknown;
}

/** What the last file said, in the form in which fields are stored, with `images` as a list of addresses. */
export type Base = Readonly<Record<string, unknown>>;

/** What the last file of a source said of a vehicle, to be stored. */
export interface NewBase {
  readonly vehicleId: number;
  readonly dealerId: number;
  readonly base: Base;
}

/** True if both are the same value. Lists are the same if their elements are. */
export const isEqual = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((value, index) => value === other[index])
    : one === other;

/** The values of a field. `base` is what the last file said; `undefined` if nothing is known of that. */
interface FieldValues {
  readonly base: unknown;
  readonly file: unknown;
  readonly record: unknown;
  readonly owner: Owner;
  /** True if a stored value is the one of a file. */
  readonly isSame?: (stored: unknown, sent: unknown) => boolean;
}

/**
 * Whose value a field has after a file: `both` if they are the same. What the file did not change stays as people left
 * it; what only the file changed is taken; if both changed it, the owner decides.
 */
export const mergedField = ({
  base,
  file,
  record,
  owner,
  isSame = isEqual,
}: FieldValues): "both" | "file" | "record" => {
  if (isSame(record, file)) return "both";
  if (base === undefined) return "file";
  if (isEqual(base, file)) return "record";
  if (isSame(record, base)) return "file";
  return owner === "file" ? "file" : "record";
};

/** Fields that mean something only beside the status of the same file. */
const BESIDE_STATUS: ReadonlySet<string> = new Set(["stage", "sold_at", "sold_price"]);
/**
 * Fields of which it is not known what they were without a file: every vehicle has them, the service sets them, or a
 * file of the whole inventory that left the vehicle out said something of them.
 */
const NOT_KNOWN: ReadonlySet<string> = new Set([
  ...["make", "model", "year", "price", "status", "listed_at", "sold_at", "sold_price"],
]);

/** What a vehicle has in a field of which no file said anything; `undefined` if that is not known. */
const unsaidValue = (field: string, vehicle: Vehicle): unknown => {
  if (NOT_KNOWN.has(field)) return undefined;
  if (field === "title") return generatedTitle(vehicle);
  const known = VEHICLE_FIELDS[field as keyof Vehicle];
  return known?.kind === "flag" ? known.initial : null;
};

/** What the last file said of a field. If it said something of the vehicle but not of this, people may have filled it. */
const baseOf = (field: string, base: Base | null, vehicle: Vehicle): unknown => {
  if (base === null) return undefined;
  return field in base ? base[field] : unsaidValue(field, vehicle);
};

/** A row about a vehicle, before it is decided what is taken of it. */
interface MergedRow {
  /** The values of the row, in the form in which fields are stored. */
  readonly file: Readonly<Record<string, unknown>>;
  readonly vehicle: Vehicle;
  /** The vehicle's values: its fields, and what it was sold for. */
  readonly record: Readonly<Record<string, unknown>>;
  /** What the last file said of the vehicle; `null` if there was none. */
  readonly base: Base | null;
  readonly ownerOf: (field: string) => Owner;
  readonly isSame: (field: string, stored: unknown, sent: unknown) => boolean;
}

const NOTHING_MERGED = { taken: {}, kept: [] } as const;

/** What a row changes, and what it does not change although it says something else. */
export const mergedRow = ({
  file,
  vehicle,
  record,
  base,
  ownerOf,
  isSame,
}: MergedRow): { readonly taken: Readonly<Record<string, unknown>>; readonly kept: readonly KeptValue[] } => {
  const differs = Object.keys(file).filter((field) => !isSame(field, record[field], file[field]));
  // Most rows of most files change nothing.
  if (differs.length === 0) return NOTHING_MERGED;
  const verdictOf = (field: string): ReturnType<typeof mergedField> =>
    mergedField({
      base: baseOf(field, base, vehicle),
      file: file[field],
      record: record[field],
      owner: ownerOf(field),
      isSame: (stored, sent) => isSame(field, stored, sent),
    });
  const keepsStatus = differs.includes("status") && verdictOf("status") === "record";
  const status = file.status ?? vehicle.status;
  const taken: Record<string, unknown> = {};
  const kept: KeptValue[] = [];
  for (const field of differs) {
    const value = file[field];
    const verdict = verdictOf(field);
    const isOfOtherStatus =
      base !== null &&
      ((keepsStatus && BESIDE_STATUS.has(field)) || (field === "stage" && value !== null && !isStageOf(status, value)));
    if (verdict === "file" && !isOfOtherStatus) taken[field] = value;
    else kept.push({ field, file: value, ours: record[field] ?? null });
  }
  return { taken, kept };
};

const isStageOf = (status: unknown, stage: unknown): boolean =>
  Object.entries(STAGES).some(([name, stages]) => name === status && stages.some((one) => one === stage));
