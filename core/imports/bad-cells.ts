import type { Vehicle } from "../vehicles/vehicle.ts";
import type { ImportIssue } from "./import-issue.ts";
import {
  comparedKey,
  type Decision,
  decideRow,
  exportedVehicleOf,
  isAnotherOne,
  type RowContext,
  type SentRow,
  saidKey,
} from "./matching.ts";
import type { Base } from "./merge.ts";

/** A row with the faults that count only if it would make a new vehicle. */
export interface RowWithBadCells extends SentRow {
  readonly newOnly?: readonly ImportIssue[];
}

/** A decision, and what was left out of the row before it could be made. */
export interface LenientDecision {
  readonly decision: Decision;
  readonly warnings: readonly ImportIssue[];
}

/** The fields that decide about a row; those that decide only about a new vehicle are not among them. */
const DECIDING: ReadonlySet<string> = new Set(["make", "model", "year", "vin", "stock_number"]);
const DECIDING_NEW: ReadonlySet<string> = new Set([...DECIDING, "price", "status"]);

const STAYS = "the field stays as it is";

const stays = (issue: ImportIssue): ImportIssue => ({ ...issue, message: `${issue.message}; ${STAYS}` });

/** The decision without the fields whose values are not accepted, unless these decide about the row. */
const withoutBadFields = (row: SentRow, context: RowContext): LenientDecision => {
  const decision = decideRow(row, context);
  if (decision.outcome !== "failed") return { decision, warnings: [] };
  const named = decideRow({ ...row, errors: [] }, { ...context, nameOf: (field) => field });
  if (named.outcome !== "failed") return { decision, warnings: [] };
  const isOfNew = named.errors.some(({ code }) => code === "value_missing");
  const bad = named.errors.filter(
    ({ path }) => path in row.fields && !DECIDING.has(path) && !(isOfNew && DECIDING_NEW.has(path)),
  );
  if (bad.length === 0) return { decision, warnings: [] };
  const names = new Set(bad.map(({ path }) => path));
  const fields = Object.fromEntries(Object.entries(row.fields).filter(([field]) => !names.has(field)));
  // Some values are looked at only when the others are right.
  const again = withoutBadFields({ ...row, fields }, context);
  const isNew = again.decision.outcome === "created" || again.decision.outcome === "failed";
  if (isNew && bad.some(({ path }) => DECIDING_NEW.has(path))) return { decision, warnings: [] };
  return {
    ...again,
    warnings: [...bad.map((one) => stays({ ...one, path: context.nameOf(one.path) })), ...again.warnings],
  };
};

/**
 * Decides what to do for a row of a file. A cell that cannot be read costs its field and not the vehicle, unless it
 * decides about the row: an unreadable price or status fails only a new vehicle.
 */
export const decideLeniently = (row: RowWithBadCells, context: RowContext): LenientDecision => {
  const { newOnly = [] } = row;
  const found = withoutBadFields(row, context);
  const { outcome } = found.decision;
  if (newOnly.length === 0) return found;
  if (outcome === "updated" || outcome === "unchanged")
    return { decision: found.decision, warnings: [...found.warnings, ...newOnly.map(stays)] };
  const errors = [...row.errors, ...newOnly];
  return { decision: decideRow({ ...row, errors }, context), warnings: found.warnings };
};

const inWords = ({ year, make, model }: Readonly<Record<"make" | "model" | "year", unknown>>): string =>
  `${year} ${make} ${model}`;

/**
 * Why a row cannot be about the vehicle that has its stock number: make, model and year are all those of another one.
 * `null` if it can be, or if the caller chose what vehicles are matched by.
 */
export const implausibleMatch = (
  { fields, key, exported }: SentRow,
  vehicle: Vehicle,
  { options, base }: Pick<RowContext, "options"> & { readonly base: Base | null },
): ImportIssue | null => {
  if (options.match !== "auto" || exportedVehicleOf(exported, [vehicle], options.match) !== undefined) return null;
  const stock = comparedKey(key).stock_number;
  if (stock === null || ![comparedKey(vehicle).stock_number, saidKey(base).stock_number].includes(stock)) return null;
  if (!isAnotherOne(fields, vehicle, base)) return null;
  const { make, model, year } = fields;
  return {
    path: "",
    code: "match_implausible",
    message: `is a ${inWords({ make, model, year })}, and vehicle ${vehicle.id}, which has its stock number, is a ${inWords(vehicle)}; correct one of them, or choose match=stock_number or match=vin if it is the same vehicle`,
  };
};
