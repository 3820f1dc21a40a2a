import type { Clock, Timestamp } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import type { Owner } from "../settings/field-owners.ts";
import { fold, isStorable, lowerAscii } from "../text.ts";
import { VEHICLE_FIELDS } from "../vehicles/fields.ts";
import {
  newVehicle,
  type Vehicle,
  vehicleChanges,
  vehicleFaults,
  vehicleRules,
  withTimestamps,
} from "../vehicles/vehicle.ts";
import type { NewVehicleFields, VehicleUpdate } from "../vehicles/vehicle-repository.ts";
import { checkedChanges, newVehicleFields, vehicleUpdateOf } from "../vehicles/vehicles.ts";
import { isPlaceholderVin } from "../vin/placeholder.ts";
import { foldHeading } from "./headings/fold-heading.ts";
import type { ImportOptions, Match } from "./import.ts";
import type { ImportIssue } from "./import-issue.ts";
import { type Base, type KeptValue, mergedRow } from "./merge.ts";
import type { ExportedIdentity } from "./values/values.ts";
import { areTakenForEachOther, vinToKeep } from "./vin-typos.ts";

/** The keys by which the vehicle of a row is found. */
export interface RowKey {
  readonly vin: string | null;
  readonly stock_number: string | null;
}

/** A row that has been read, but not yet validated. */
export interface SentRow {
  readonly key: RowKey;
  readonly exported: ExportedIdentity | null;
  /** The fields in the form of a POST or PUT body. Only cells with values are there. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly errors: readonly ImportIssue[];
  readonly warnings: readonly ImportIssue[];
}

/** What is told about a row of an existing vehicle, besides what its cells say. */
interface Told {
  readonly vehicle: Vehicle;
  readonly warnings: readonly ImportIssue[];
  /** The values that stay against those of the row. */
  readonly kept: readonly KeptValue[];
  /** The values of the row, in the form in which fields are stored. */
  readonly said: Base;
}

/** What to do for a row. */
export type Decision =
  | { readonly outcome: "created"; readonly fields: NewVehicleFields }
  | ({ readonly outcome: "updated"; readonly update: VehicleUpdate } & Told)
  | ({ readonly outcome: "unchanged" } & Told)
  | { readonly outcome: "failed"; readonly errors: readonly ImportIssue[] };

/** What the decision about a row depends on besides the row. */
export interface RowContext {
  readonly clock: Pick<Clock, "now" | "parse">;
  readonly dealerId: number;
  readonly options: Pick<ImportOptions, "mode" | "match">;
  /** The dealer's vehicles with the row's VIN, stock number or id. */
  readonly vehicles: readonly Vehicle[];
  /**
   * True if an earlier row with another VIN would create a vehicle with the same stock number. It is only set in a
   * check.
   */
  readonly isStockTaken?: boolean;
  /** What the vehicles that are sold were sold for, by their ids, if it was entered and the rows name sold prices. */
  readonly soldPrices: ReadonlyMap<number, number>;
  /** The days after a sale within which a vehicle that comes back undoes it. */
  readonly resaleDays: number;
  /** How the row is compared with the last file; `null` if it is not. */
  readonly merge?: {
    /** What the last file said of a vehicle; `null` if it said nothing. */
    readonly baseOf: (vehicleId: number) => Base | null;
    readonly ownerOf: (field: string) => Owner;
  } | null;
  /** What the last file said of a vehicle, also if the row is not compared with it; `null` if it said nothing. */
  readonly saidOf?: (vehicleId: number) => Base | null;
  /** Returns the name of a field in the file. */
  readonly nameOf: (field: string) => string;
  /** True if sending this value would not change the stored one. */
  readonly isSame: (field: string, stored: unknown, sent: unknown) => boolean;
}

/** A character takes up to two UTF-16 units. */
const UNITS_PER_CHARACTER = 2;

/** The text if a vehicle can have it as a key, or else `null`. Databases refuse some texts even in a comparison. */
const usableKeyPart = (text: string | null, most: number): string | null =>
  text !== null && text.length <= most * UNITS_PER_CHARACTER && isStorable(text) ? text : null;

/** A key in the form in which keys are compared. Parts that no vehicle can have are `null`. */
export const comparedKey = ({ vin: sentVin, stock_number: sentStock }: RowKey): RowKey => {
  const vin = usableKeyPart(sentVin, VEHICLE_FIELDS.vin.max);
  const stock = usableKeyPart(sentStock, VEHICLE_FIELDS.stock_number.max);
  return { vin: vin === null ? null : lowerAscii(vin), stock_number: stock === null ? null : fold(stock) };
};

const rowIssue = (code: string, message: string): ImportIssue => ({ path: "", code, message });

const AMBIGUOUS = rowIssue("match_ambiguous", "finds several vehicles; it is not known which one is meant");

/** The message for a row without the key that it is matched by. */
const MISSING_KEY: Readonly<Record<Match, string>> = {
  auto: "has neither a VIN nor a stock number",
  vin: "has no VIN",
  stock_number: "has no stock number",
};

type MatchResult = Vehicle | null | ImportIssue;

const onlyVehicle = (vehicles: readonly Vehicle[]): MatchResult =>
  vehicles.length > 1 ? AMBIGUOUS : (vehicles[0] ?? null);

/** How to go on after a conflict, for people who only see the file and for those who choose options. */
const goOn = (vehicle: string): string =>
  `correct the VIN or the stock number in the file or of ${vehicle}; or choose match=stock_number or match=vin, if only one of them is right`;

const vinConflict = (byStock: Vehicle): ImportIssue =>
  rowIssue(
    "match_conflict",
    `has another VIN than vehicle ${byStock.id}, which has its stock number and is not sold: ${goOn(`vehicle ${byStock.id}`)}`,
  );
const identityConflict = (vehicle: Vehicle, other: Vehicle): ImportIssue =>
  rowIssue(
    "match_conflict",
    `is vehicle ${vehicle.id}, and has the VIN or the stock number of vehicle ${other.id}: ${goOn(`vehicle ${other.id}`)}`,
  );
const STOCK_NUMBER_TAKEN = rowIssue(
  "match_conflict",
  `has another VIN than a row before, which has its stock number: ${goOn("that row")}`,
);

/** The vehicles that a stock number means: those that are not sold, if there are any. */
const meantByStock = (vehicles: readonly Vehicle[]): readonly Vehicle[] => {
  const unsold = vehicles.filter(({ status }) => status !== "sold");
  return unsold.length > 0 ? unsold : vehicles;
};

/** The VIN of a vehicle; `null` also for what earlier versions stored in its place. */
const vinOf = ({ vin }: Vehicle): string | null => (vin === null || isPlaceholderVin(vin) ? null : vin);

/** The vehicles that hold a stock number against a row with this VIN. A sold vehicle with another VIN does not. */
const holdersOf = (byStock: readonly Vehicle[], vin: string): readonly Vehicle[] =>
  meantByStock(
    byStock.filter((one) => one.status !== "sold" || vinOf(one) === null || areTakenForEachOther(one.vin ?? "", vin)),
  );

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The key that the last file had for a vehicle, in the form in which keys are compared. */
export const saidKey = (said: Base | null): RowKey =>
  comparedKey({ vin: textOrNull(said?.vin), stock_number: textOrNull(said?.stock_number) });

const IDENTITY = ["make", "model", "year"] as const;

const differ = (one: unknown, other: unknown): boolean =>
  one !== undefined && foldHeading(String(one)) !== foldHeading(String(other));

/**
 * True if make, model and year of a row are all those of another vehicle. If the last file already said one of them,
 * people have corrected the vehicle since.
 */
export const isAnotherOne = (fields: SentRow["fields"], vehicle: Vehicle, said: Base | null): boolean =>
  IDENTITY.every((field) => differ(fields[field], vehicle[field])) &&
  !IDENTITY.some((field) => said !== null && said[field] === fields[field]);

/** A row and the vehicles that have its VIN or its stock number. */
interface RowHolders {
  readonly fields: SentRow["fields"];
  readonly stock: string | null;
  readonly byVin: readonly Vehicle[];
  readonly byStock: readonly Vehicle[];
}

/**
 * The vehicles that a stock number of a file means: those that the last file called so, if somebody has given them
 * another one since, and otherwise those that have it. The number may be another vehicle's by now: that of a row which is
 * quite another car, or has a VIN that the last file did not have, or one that is here while the former one is sold.
 */
const holdersInFile = (
  vin: string | null,
  { fields, stock, byStock }: Omit<RowHolders, "byVin">,
  { vehicles, saidOf = () => null }: Pick<RowContext, "vehicles" | "saidOf">,
): readonly Vehicle[] => {
  const isSaidOf = ({ id }: Vehicle): boolean => saidKey(saidOf(id)).stock_number === stock;
  if (stock === null || byStock.some(isSaidOf)) return byStock;
  const isFormer = (one: Vehicle): boolean =>
    isSaidOf(one) &&
    (vin === null || saidKey(saidOf(one.id)).vin === null) &&
    !isAnotherOne(fields, one, saidOf(one.id));
  const former = vehicles.filter(isFormer);
  const unsold = former.filter(({ status }) => status !== "sold");
  if (unsold.length > 0) return unsold;
  return byStock.length > 0 ? byStock : former;
};

/**
 * Matches by the VIN, also by the one that the last file had. If no vehicle has it, the stock number is used, but only
 * for a vehicle without a VIN, or with one that only looks different.
 */
const matchByBothKeys = (vin: string, row: RowHolders, context: RowContext): MatchResult => {
  const { vehicles, saidOf = () => null } = context;
  const { byVin, byStock, stock } = row;
  const saidOfVehicle = ({ id }: Vehicle): RowKey => saidKey(saidOf(id));
  const ofVin = onlyVehicle(byVin.length > 0 ? byVin : vehicles.filter((one) => saidOfVehicle(one).vin === vin));
  if (ofVin !== null && "code" in ofVin) return ofVin;
  if (ofVin !== null) {
    // Somebody gave the stock number that the file has for it to another one.
    if (saidOfVehicle(ofVin).stock_number === stock) return ofVin;
    const [other] = byStock.some(({ id }) => id === ofVin.id) ? [] : byStock.filter(({ status }) => status !== "sold");
    return other === undefined ? ofVin : vinConflict(other);
  }
  const ofStock = onlyVehicle(holdersOf(holdersInFile(vin, row, context), vin));
  const stored = ofStock !== null && "vin" in ofStock ? vinOf(ofStock) : null;
  return stored !== null && !areTakenForEachOther(stored, vin) ? vinConflict(ofStock as Vehicle) : ofStock;
};

/** The vehicle that a row of an export is about. It is `undefined` if the caller chose what vehicles are matched by. */
export const exportedVehicleOf = (
  exported: ExportedIdentity | null,
  vehicles: readonly Vehicle[],
  match: Match,
): Vehicle | undefined =>
  exported === null || match !== "auto"
    ? undefined
    : vehicles.find(({ id, created_at }) => id === exported.id && created_at === exported.createdAt);

/** The exported vehicle, unless only other vehicles have the row's VIN or stock number. */
const matchExported = (vehicle: Vehicle, ...matches: readonly (readonly Vehicle[])[]): MatchResult => {
  const others = matches.find((some) => some.length > 0 && !some.includes(vehicle));
  return others?.[0] === undefined ? vehicle : identityConflict(vehicle, others[0]);
};

/** The vehicle of a row; `null` if there is none, or an issue if it is ambiguous. */
const matchVehicle = (
  { key, exported, fields }: Pick<SentRow, "key" | "exported" | "fields">,
  context: RowContext,
): MatchResult => {
  const {
    vehicles,
    isStockTaken = false,
    options: { match, mode },
  } = context;
  const compared = comparedKey(key);
  const vin = match === "stock_number" ? null : compared.vin;
  const stock = match === "vin" ? null : compared.stock_number;
  const isSent = (match !== "stock_number" && key.vin !== null) || (match !== "vin" && key.stock_number !== null);
  const byVin = vehicles.filter((one) => vin !== null && one.vin !== null && lowerAscii(one.vin) === vin);
  const byStock = vehicles.filter(
    (one) => stock !== null && one.stock_number !== null && fold(one.stock_number) === stock,
  );
  const own = exportedVehicleOf(exported, vehicles, match);
  if (own !== undefined)
    return matchExported(
      own,
      byVin,
      byStock.includes(own) ? byStock : byStock.filter(({ status }) => status !== "sold"),
    );
  // A key that no vehicle can have is reported by the schema.
  if (!isSent) return mode === "create" ? null : rowIssue("key_missing", MISSING_KEY[match]);
  if (vin === null) return onlyVehicle(meantByStock(holdersInFile(null, { fields, stock, byStock }, context)));
  const matched = matchByBothKeys(vin, { fields, stock, byVin, byStock }, context);
  const isOther =
    isStockTaken &&
    stock !== null &&
    !byStock.some((one) => matched !== null && "vin" in matched && one.id === matched.id);
  return isOther && (matched === null || "vin" in matched) ? STOCK_NUMBER_TAKEN : matched;
};

const REQUIRED = "is required";

/** The issues of a body, with the headings of the file as paths. */
const issuesInFile = (issues: readonly Issue[], nameOf: RowContext["nameOf"]): ImportIssue[] =>
  issues.map(({ path, message }) => ({
    path: nameOf(path),
    code: message === REQUIRED ? "value_missing" : "value_invalid",
    message,
  }));

const issuesOf = (outcome: Outcome<unknown>): readonly Issue[] =>
  outcome instanceof Failure && outcome.cause.kind === "invalid" ? outcome.cause.issues : [];

const newFieldsOf = (
  fields: SentRow["fields"],
  { clock, dealerId }: RowContext,
  now: Timestamp,
): Outcome<NewVehicleFields> => {
  const body = newVehicle.parse(fields, vehicleRules(clock), vehicleFaults(clock));
  return body instanceof Failure ? body : newVehicleFields(withTimestamps(clock, body), { dealerId, now });
};

/** What a row changes of a vehicle. */
interface ChangedFields extends Pick<Told, "kept" | "said"> {
  readonly update: VehicleUpdate;
}

/** What a row changes. `forced` is taken whatever people changed. */
const changedFieldsOf = (
  fields: SentRow["fields"],
  { vehicle, forced }: { readonly vehicle: Vehicle; readonly forced: VehicleUpdate },
  { clock, isSame, soldPrices, resaleDays, merge }: RowContext,
): Outcome<ChangedFields> => {
  const body = vehicleChanges.parse(fields, vehicleRules(clock), vehicleFaults(clock));
  if (body instanceof Failure) return body;
  const said = vehicleUpdateOf(clock, body) as Base;
  const { taken, kept } = mergedRow({
    file: said,
    vehicle,
    record: { ...vehicle, sold_price: soldPrices.get(vehicle.id) },
    base: merge?.baseOf(vehicle.id) ?? null,
    ownerOf: merge?.ownerOf ?? (() => "file"),
    isSame,
  });
  const wanted: VehicleUpdate = { ...taken, ...forced };
  if (Object.keys(wanted).length === 0) return { update: {}, kept, said };
  const update = checkedChanges(vehicle, wanted, { now: clock.now(), resaleDays });
  return update instanceof Failure ? update : { update, kept, said };
};

/** The faults of the values of a row that names no vehicle, whether it would change one or add one. */
const faultsOfValues = ({ fields, errors }: SentRow, { clock, nameOf }: RowContext): ImportIssue[] => {
  const named = new Set(errors.map(({ path }) => path));
  const sent = vehicleChanges.parse(fields, vehicleRules(clock), vehicleFaults(clock));
  return issuesInFile(issuesOf(sent), nameOf).filter(({ path }) => !named.has(path));
};

/** The fields without a VIN that is a typing error of the vehicle's right one, and the warning about it. */
const withVinToKeep = (
  fields: SentRow["fields"],
  vehicle: Vehicle,
  nameOf: RowContext["nameOf"],
): { readonly sent: SentRow["fields"]; readonly warnings: readonly ImportIssue[] } => {
  const { vin, ...others } = fields;
  if (typeof vin !== "string" || !vinToKeep(vehicle.vin, vin)) return { sent: fields, warnings: [] };
  const message = `is ${vin} in the file, a typing error of ${vehicle.vin}, which vehicle ${vehicle.id} keeps`;
  return { sent: others, warnings: [{ path: nameOf("vin"), code: "vin_kept", message }] };
};

/** Decides what to do for a row of a dealer's vehicles. The schemas of POST and PUT validate its values. */
export const decideRow = (row: SentRow, context: RowContext): Decision => {
  const { fields, errors } = row;
  const { mode } = context.options;
  const existing = matchVehicle(row, context);
  const failed = (...more: readonly ImportIssue[]): Decision => ({ outcome: "failed", errors: [...errors, ...more] });
  if (existing !== null && "code" in existing)
    return existing.code === "key_missing" ? failed(existing, ...faultsOfValues(row, context)) : failed(existing);
  if (existing !== null && mode === "create")
    return failed(
      rowIssue("vehicle_exists", `is vehicle ${existing.id} already; nothing but new vehicles is asked for`),
    );
  if (existing === null && mode === "update")
    return failed(rowIssue("vehicle_not_found", "is no vehicle of the dealer; nothing but changes is asked for"));
  const named = new Set(errors.map(({ path }) => path));
  // A field whose cell is unreadable is absent here. An error that it is required would be misleading.
  const further = (outcome: Outcome<unknown>): ImportIssue[] =>
    issuesInFile(issuesOf(outcome), context.nameOf).filter(({ path }) => !named.has(path));
  if (existing === null) {
    const vehicle = newFieldsOf(fields, context, context.clock.now());
    if (vehicle instanceof Failure || errors.length > 0) return failed(...further(vehicle));
    return { outcome: "created", fields: vehicle };
  }
  const { sent, warnings } = withVinToKeep(fields, existing, context.nameOf);
  // A snapshot contains all unsold vehicles, so a sold vehicle that it contains is available again.
  const isBack = mode === "snapshot" && existing.status === "sold" && fields.status === undefined;
  const changed = changedFieldsOf(sent, { vehicle: existing, forced: isBack ? { status: "available" } : {} }, context);
  if (changed instanceof Failure || errors.length > 0) return failed(...further(changed));
  const { update, kept, said } = changed;
  const told = { vehicle: existing, warnings, kept, said };
  return Object.keys(update).length === 0 ? { outcome: "unchanged", ...told } : { outcome: "updated", update, ...told };
};
