import type { Principal } from "../access/principal.ts";
import { decideLeniently, implausibleMatch, type LenientDecision } from "./bad-cells.ts";
import type { Merging } from "./bases.ts";
import type { Candidates } from "./candidates.ts";
import type { RowProblem } from "./file/file.ts";
import type { ImportOptions, RowOutcome } from "./import.ts";
import type { ImportIssue } from "./import-issue.ts";
import type { ExistingImage, StoredRow } from "./import-repository.ts";
import { comparedKey, decideRow, exportedVehicleOf, type RowContext, type SentRow } from "./matching.ts";
import type { Base, NewBase } from "./merge.ts";
import type { ImageWay } from "./row-images.ts";
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
  /** The addresses of its vehicle's images that may be fetched. */
  readonly elsewhere?: readonly string[];
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
  /** True if an address whose photo the service has fetched stands for that photo. */
  readonly knowsPhotos?: boolean;
  /** True if a bad value costs its field and not the row, unless it decides about the row. */
  readonly isLenient?: boolean;
  /** Returns the sender's name for a field. */
  readonly nameOf: (field: string) => string;
  /** True if sending this value would not change the stored one. */
  readonly isSame: (field: string, stored: unknown, sent: unknown) => boolean;
}

/** A batch with what was loaded from the database for its rows. */
export interface LoadedBatch extends BatchContext {
  readonly candidates: Candidates;
  readonly images: ReadonlyMap<number, readonly ExistingImage[]>;
  readonly soldPrices: ReadonlyMap<number, number>;
  /** What the last file said of the vehicles, and what this one says. */
  readonly bases: ReadonlyMap<number, Base>;
  readonly newBases: NewBase[];
  /** The photo that the service has fetched for a dealer from an address, or the address. */
  readonly photoOf: (dealerId: number, address: string) => string;
  /** The dealers of its rows that exist. */
  readonly dealers: ReadonlySet<number>;
}

const issue = (code: string, message: string): ImportIssue => ({ path: "", code, message });

const DUPLICATE = issue("duplicate_in_file", "is named a second time");

/** The ids by which vehicles of a row are found: that of an exported one, and those that the last file called so. */
export const idsOf = ({ exported, key }: RowValues, dealerId: number, merging: Merging | null): readonly number[] => [
  ...(exported === null ? [] : [exported.id]),
  ...(merging?.formerlyCalled(dealerId, key) ?? []),
];

/** The length to which keys are cut in results. No vehicle has a longer key. */
const MAX_SHOWN_KEY = 100;
const shownKey = (key: string | null): string | null => key?.slice(0, MAX_SHOWN_KEY).toWellFormed() ?? null;

const decideStrictly = (row: SentRow, context: RowContext): LenientDecision => ({
  decision: decideRow(row, context),
  warnings: [],
});

const HOW_CODES_WORK =
  "add it to the codes of a dealer, or choose dealer_by=id if the column has the ids of dealers here";

const NO_KEY = { vin: null, stock_number: null };

/** What a result says of a row whatever becomes of it. */
export type AboutRow = Pick<RowResult, "key" | "dealerId" | "compared" | "warnings">;

/** What is said of a row before anything is decided about it. */
export const aboutRow = ({ values, dealerId }: ReadRow, { match }: Pick<ImportOptions, "match">): AboutRow => {
  const { vin, stock_number } = values.key;
  const key = shownKey(match === "stock_number" ? (stock_number ?? vin) : (vin ?? stock_number));
  return { key, dealerId, compared: comparedKey(values.key), warnings: values.warnings };
};

/** The result of a row that fails. */
export const failedRow = (about: AboutRow, ...errors: readonly ImportIssue[]): RowResult => ({
  ...about,
  outcome: "failed",
  vehicle_id: null,
  changes: {},
  errors,
});

/** The result of a row whose dealer is missing or unknown. */
export const withoutDealer = (
  about: AboutRow,
  { errors }: RowValues,
  fault: { readonly path: string; readonly code: string; readonly message: string },
): RowResult => {
  // If the dealer is unreadable, that was already reported.
  const isSaid = errors.some(({ path }) => path === fault.path);
  return failedRow(about, ...errors, ...(isSaid ? [] : [fault]));
};

/** The result of a row that is no vehicle, is unreadable as a whole or names no dealer; `null` for any other. */
export const undecided = (
  { values, dealerId, problem = null }: ReadRow,
  about: AboutRow,
  nameOf: BatchContext["nameOf"],
): RowResult | null => {
  if (values.skipped !== undefined && problem === null)
    return {
      ...{ ...about, outcome: "skipped", vehicle_id: null, changes: {}, errors: [] },
      ...{ key: null, compared: NO_KEY, warnings: [values.skipped] },
    };
  if (problem !== null) return failedRow(about, issue(problem.code, problem.message));
  if (dealerId !== null) return null;
  const path = nameOf("dealer_id");
  if (values.dealerCode === undefined)
    return withoutDealer(about, values, { path, code: "dealer_missing", message: "names no dealer" });
  const message = `no dealer has the code ${quoted(values.dealerCode)}; ${HOW_CODES_WORK}`;
  return withoutDealer(about, values, { path, code: "dealer_unknown", message });
};

/** Decides what to do for a row, or why it fails. */
export const decideAbout = (
  { values }: ReadRow,
  { dealerId, compared }: AboutRow & { readonly dealerId: number },
  { batch, clock }: { readonly batch: LoadedBatch; readonly clock: RowContext["clock"] },
): LenientDecision => {
  const { options, isCheck, nameOf, isSame, merging = null } = batch;
  const saidOf = (id: number): Base | null => batch.bases.get(id) ?? null;
  const vehicles = batch.candidates.of(dealerId, compared, idsOf(values, dealerId, merging));
  const failed = (...errors: readonly ImportIssue[]): LenientDecision => ({
    decision: { outcome: "failed", errors },
    warnings: [],
  });
  // In files that this service wrote, two rows may have the same key, as two vehicles may have it.
  const isExported = exportedVehicleOf(values.exported, vehicles, options.match) !== undefined;
  if (!isExported && batch.seen.has(dealerId, compared)) return failed(...values.errors, DUPLICATE);
  const decided = (batch.isLenient ? decideLeniently : decideStrictly)(values, {
    clock,
    dealerId,
    options,
    vehicles,
    isStockTaken: isCheck && batch.seen.createsStockNumber(dealerId, compared.stock_number),
    soldPrices: batch.soldPrices,
    resaleDays: batch.resaleDays,
    merge: merging === null ? null : { baseOf: (id) => (merging.isOn ? saidOf(id) : null), ownerOf: merging.ownerOf },
    saidOf,
    nameOf,
    isSame,
  });
  const { decision } = decided;
  if (decision.outcome === "failed" || decision.outcome === "created") return decided;
  const { id } = decision.vehicle;
  const implausible = implausibleMatch(values, decision.vehicle, { options, base: saidOf(id) });
  if (implausible !== null) return failed(implausible);
  return batch.seen.hasVehicle(id) ? failed(DUPLICATE) : decided;
};
