import type { Clock, Timestamp } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { fold, isStorable, lowerAscii } from "../text.ts";
import { VEHICLE_FIELDS } from "../vehicles/fields.ts";
import { newVehicle, type Vehicle, vehicleChanges, vehicleRules, withTimestamps } from "../vehicles/vehicle.ts";
import type { VehicleFields, VehicleUpdate } from "../vehicles/vehicle-repository.ts";
import { changesBeside, newVehicleFields, vehicleUpdateOf } from "../vehicles/vehicles.ts";
import type { ImportOptions, Match } from "./import.ts";
import type { ImportIssue } from "./import-issue.ts";
import type { WrittenVehicle } from "./values/values.ts";

/** What a row's vehicle is found by. */
export interface RowKey {
  readonly vin: string | null;
  readonly stock_number: string | null;
}

/** A row, read and not judged yet. */
export interface SentRow {
  readonly key: RowKey;
  readonly written: WrittenVehicle | null;
  /** As the body of POST and PUT: only what the row says. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly errors: readonly ImportIssue[];
  readonly warnings: readonly ImportIssue[];
}

/** What is to be done for a row. */
export type Decision =
  | { readonly outcome: "created"; readonly fields: VehicleFields }
  | { readonly outcome: "updated"; readonly vehicle: Vehicle; readonly update: VehicleUpdate }
  | { readonly outcome: "unchanged"; readonly vehicle: Vehicle }
  | { readonly outcome: "failed"; readonly errors: readonly ImportIssue[] };

/** What a decision is made beside. */
export interface RowContext {
  readonly clock: Pick<Clock, "now" | "parse">;
  readonly dealerId: number;
  readonly options: Pick<ImportOptions, "mode" | "match">;
  /** The dealer's vehicles with the row's VIN, stock number or number. */
  readonly vehicles: readonly Vehicle[];
  /** True if a row before, of another VIN, makes a vehicle with the row's stock number that is not there yet. */
  readonly isStockTaken?: boolean;
  /** What the file calls a field. */
  readonly nameOf: (field: string) => string;
  /** True for a stored value that the row does not change. */
  readonly isSame: (field: string, stored: unknown, sent: unknown) => boolean;
}

/** A character takes up to two units of a text. */
const UNITS = 2;

/** A part of a key that a vehicle can have; no database can even be asked for others. */
const possible = (text: string | null, most: number): string | null =>
  text !== null && text.length <= most * UNITS && isStorable(text) ? text : null;

/** A key in the form in which keys are compared; `null` for what is the key of no vehicle. */
export const comparedKey = ({ vin: sentVin, stock_number: sentStock }: RowKey): RowKey => {
  const vin = possible(sentVin, VEHICLE_FIELDS.vin.max);
  const stock = possible(sentStock, VEHICLE_FIELDS.stock_number.max);
  return { vin: vin === null ? null : lowerAscii(vin), stock_number: stock === null ? null : fold(stock) };
};

const whole = (code: string, message: string): ImportIssue => ({ path: "", code, message });

const AMBIGUOUS = whole("match_ambiguous", "finds several vehicles; it is not known which one is meant");

/** What a row without the key that it is matched by lacks. */
const LACKS: Readonly<Record<Match, string>> = {
  auto: "has neither a VIN nor a stock number",
  vin: "has no VIN",
  stock_number: "has no stock number",
};

type Found = Vehicle | null | ImportIssue;

const theOne = (vehicles: readonly Vehicle[]): Found => (vehicles.length > 1 ? AMBIGUOUS : (vehicles[0] ?? null));

const conflict = (byStock: Vehicle): ImportIssue =>
  whole("match_conflict", `has another VIN than vehicle ${byStock.id}, which has its stock number`);
const otherThan = (vehicle: Vehicle, other: Vehicle): ImportIssue =>
  whole("match_conflict", `is vehicle ${vehicle.id}, and has the VIN or the stock number of vehicle ${other.id}`);
const TAKEN = whole("match_conflict", "has another VIN than a row before, which has its stock number");

/** By the VIN, unless only the stock number is known of a vehicle. */
const byBoth = (byVin: readonly Vehicle[], byStock: readonly Vehicle[]): Found => {
  const found = theOne(byVin);
  if (found !== null && "code" in found) return found;
  const [other] = byStock;
  if (other === undefined) return found;
  if (found !== null) return byStock.some(({ id }) => id === found.id) ? found : conflict(other);
  const ofStock = theOne(byStock);
  return ofStock !== null && "vin" in ofStock && ofStock.vin !== null ? conflict(ofStock) : ofStock;
};

/** The vehicle that this service wrote into a row, if the caller leaves it open what finds it. */
export const writtenVehicle = (
  written: WrittenVehicle | null,
  vehicles: readonly Vehicle[],
  match: Match,
): Vehicle | undefined =>
  written === null || match !== "auto"
    ? undefined
    : vehicles.find(({ id, created_at }) => id === written.id && created_at === written.createdAt);

/** The written vehicle, unless its row has by now the VIN or the stock number of others alone. */
const asWritten = (vehicle: Vehicle, ...found: readonly (readonly Vehicle[])[]): Found => {
  const others = found.find((some) => some.length > 0 && !some.includes(vehicle));
  return others?.[0] === undefined ? vehicle : otherThan(vehicle, others[0]);
};

/** The vehicle that a row means; `null` if there is none, or why nobody knows. */
const vehicleOf = (
  { key, written }: Pick<SentRow, "key" | "written">,
  { vehicles, isStockTaken = false, options: { match, mode } }: RowContext,
): Found => {
  const wanted = comparedKey(key);
  const vin = match === "stock_number" ? null : wanted.vin;
  const stock = match === "vin" ? null : wanted.stock_number;
  const isSent = (match !== "stock_number" && key.vin !== null) || (match !== "vin" && key.stock_number !== null);
  const byVin = vehicles.filter((one) => vin !== null && one.vin !== null && lowerAscii(one.vin) === vin);
  const byStock = vehicles.filter(
    (one) => stock !== null && one.stock_number !== null && fold(one.stock_number) === stock,
  );
  const own = writtenVehicle(written, vehicles, match);
  if (own !== undefined) return asWritten(own, byVin, byStock);
  // Of a key that no vehicle can have, the schema says what is wrong with it.
  if (!isSent) return mode === "create" ? null : whole("key_missing", LACKS[match]);
  if (vin === null) return theOne(byStock);
  const found = byBoth(byVin, byStock);
  const isOther =
    isStockTaken && stock !== null && !byStock.some((one) => found !== null && "vin" in found && one.id === found.id);
  return isOther && (found === null || "vin" in found) ? TAKEN : found;
};

const REQUIRED = "is required";

/** The issues of a body in the words of the file. */
const inFile = (issues: readonly Issue[], nameOf: RowContext["nameOf"]): ImportIssue[] =>
  issues.map(({ path, message }) => ({
    path: path === "" ? "" : nameOf(path),
    code: message === REQUIRED ? "value_missing" : "value_invalid",
    message,
  }));

const issuesOf = (outcome: Outcome<unknown>): readonly Issue[] =>
  outcome instanceof Failure && outcome.cause.kind === "invalid" ? outcome.cause.issues : [];

const created = (
  fields: SentRow["fields"],
  { clock, dealerId }: RowContext,
  now: Timestamp,
): Outcome<VehicleFields> => {
  const body = newVehicle.parse(fields, vehicleRules(clock));
  return body instanceof Failure ? body : newVehicleFields(withTimestamps(clock, body), { dealerId, now });
};

/** What of a change is one. */
const changed = (
  fields: SentRow["fields"],
  vehicle: Vehicle,
  { clock, isSame }: RowContext,
): Outcome<VehicleUpdate> => {
  const body = vehicleChanges.parse(fields, vehicleRules(clock));
  if (body instanceof Failure) return body;
  const update = Object.entries(vehicleUpdateOf(clock, body)).filter(
    ([name, value]) => !isSame(name, vehicle[name as keyof Vehicle], value),
  );
  return update.length === 0 ? {} : changesBeside(vehicle, Object.fromEntries(update), clock.now());
};

/** What is to be done for a row of a dealer's vehicles. The schema of POST and PUT judges it. */
export const decideRow = (row: SentRow, context: RowContext): Decision => {
  const { fields, errors } = row;
  const { mode } = context.options;
  const found = vehicleOf(row, context);
  const failed = (...more: readonly ImportIssue[]): Decision => ({ outcome: "failed", errors: [...errors, ...more] });
  if (found !== null && "code" in found) return failed(found);
  if (found !== null && mode === "create")
    return failed(whole("vehicle_exists", `is vehicle ${found.id} already; nothing but new vehicles is asked for`));
  if (found === null && mode === "update")
    return failed(whole("vehicle_not_found", "is no vehicle of the dealer; nothing but changes is asked for"));
  const named = new Set(errors.map(({ path }) => path));
  // Of a cell that could not be read, its field is not there: to say that it is required would mislead.
  const further = (outcome: Outcome<unknown>): ImportIssue[] =>
    inFile(issuesOf(outcome), context.nameOf).filter(({ path }) => path === "" || !named.has(path));
  if (found === null) {
    const vehicle = created(fields, context, context.clock.now());
    if (vehicle instanceof Failure || errors.length > 0) return failed(...further(vehicle));
    return { outcome: "created", fields: vehicle };
  }
  // What is named by the whole unsold inventory is not sold any more.
  const isBack = mode === "snapshot" && found.status === "sold" && fields.status === undefined;
  const update = changed(isBack ? { ...fields, status: "available" } : fields, found, context);
  if (update instanceof Failure || errors.length > 0) return failed(...further(update));
  return Object.keys(update).length === 0
    ? { outcome: "unchanged", vehicle: found }
    : { outcome: "updated", vehicle: found, update };
};
