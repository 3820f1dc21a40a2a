import { Failure } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { fold, lowerAscii } from "../text.ts";
import type { Vehicle } from "./fields.ts";
import { isNoStockNumber, isNoVin } from "./nothing.ts";

/** The fields by which vehicles are told apart. */
export const UNIQUE_FIELDS = ["vin", "stock_number"] as const;
export type UniqueField = (typeof UNIQUE_FIELDS)[number];

/** The values that vehicles of a dealer are compared by. */
export type ComparedVehicle = Pick<Vehicle, "dealer_id" | UniqueField>;

/** The ids of other unsold vehicles of the dealer that have the same VIN or stock number, without regard to case. */
export type Duplicates = Readonly<Record<UniqueField, readonly number[]>>;

type Changes = { readonly [Name in keyof Vehicle]?: Vehicle[Name] | undefined };

export const NO_DUPLICATES: Duplicates = { vin: [], stock_number: [] };

/** A change that was not made, because the dealer refuses duplicates. */
export class DuplicateVehicle {
  constructor(readonly duplicates: Duplicates) {}
}

/** The values in the form in which they are compared. What is written in the place of none (`TBD`, `0000`) is no value. */
export const comparedValues = ({ vin, stock_number }: Pick<Vehicle, UniqueField>): Pick<Vehicle, UniqueField> => ({
  vin: vin === null || isNoVin(vin) ? null : lowerAscii(vin),
  stock_number: stock_number === null || isNoStockNumber(stock_number) ? null : fold(stock_number),
});

/** The ids of all duplicates, each once, in ascending order. */
export const duplicateIds = ({ vin, stock_number }: Duplicates): readonly number[] =>
  [...new Set([...vin, ...stock_number])].sort((one, other) => one - other);

/** The vehicle as it is compared by these fields alone. Others that share another value with it are not found. */
export const comparedBy = (vehicle: ComparedVehicle, fields: readonly UniqueField[]): ComparedVehicle => ({
  dealer_id: vehicle.dealer_id,
  vin: fields.includes("vin") ? vehicle.vin : null,
  stock_number: fields.includes("stock_number") ? vehicle.stock_number : null,
});

/** An issue for each field whose value other vehicles have. */
export const duplicateIssues = (found: Duplicates): readonly Issue[] =>
  UNIQUE_FIELDS.flatMap((path) => {
    const ids = found[path];
    if (ids.length === 0) return [];
    const whose = ids.length === 1 ? `vehicle ${ids[0]}` : `vehicles ${ids.join(", ")}`;
    return [{ path, message: `is that of ${whose}, which the dealer has and has not sold` }];
  });

/** The failure of a change that the dealer's `unique_vin` refuses. */
export const duplicateFailure = ({ duplicates }: DuplicateVehicle): Failure =>
  new Failure({ kind: "duplicate-vehicle", issues: duplicateIssues(duplicates) });

/** True if such changes can make a vehicle a duplicate of another. */
export const mayCoincide = ({ vin, stock_number, dealer_id, status }: Changes): boolean =>
  (vin ?? stock_number ?? dealer_id ?? null) !== null || (status !== undefined && status !== "sold");

/**
 * The fields of a vehicle that must be unique after a change: those whose value is new, or all if it comes to the dealer
 * or is unsold again. What was a duplicate before may stay one.
 */
export const fieldsToBeUnique = (
  present: ComparedVehicle & Pick<Vehicle, "status">,
  changes: Changes,
): readonly UniqueField[] => {
  const {
    vin = present.vin,
    stock_number = present.stock_number,
    status = present.status,
    dealer_id = present.dealer_id,
  } = changes;
  if (status === "sold") return [];
  const isArriving = dealer_id !== present.dealer_id || present.status === "sold";
  const [before, now] = [comparedValues(present), comparedValues({ vin, stock_number })];
  return UNIQUE_FIELDS.filter((field) => now[field] !== null && (isArriving || now[field] !== before[field]));
};
