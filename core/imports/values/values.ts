import type { Cell } from "../file/file.ts";
import type { ImportColumns } from "../headings/columns.ts";
import { currencyOfHeading, unitOfHeading } from "../headings/heading-notes.ts";
import { photoPlaceOf } from "../headings/headings.ts";
import type { ImportIssue } from "../import-issue.ts";
import { type CellContext, vinFault } from "./cell-readers.ts";
import { currencyDiffers, isOtherCurrency } from "./currencies.ts";
import { HEADING_REPEATED, isNoVehicle, NO_VEHICLE } from "./no-vehicle.ts";
import type { OwnValues } from "./own-values.ts";
import { type CellFault, type Decimal, withoutFormula } from "./reading.ts";
import { addFault, cellWriter, emptyDraft, type ReadColumn, type RowDraft, type WriteCell } from "./row-draft.ts";
import { DISTANCES, type DistanceUnit, inOtherUnit } from "./units.ts";
import type { UnknownValue } from "./unknown-values.ts";

/** How cells are read. */
export interface ValueOptions {
  readonly decimal: Decimal;
  /** What an empty cell means: the field keeps its value, or is cleared. */
  readonly empty: "keep" | "clear";
  /** What a column for the dealer contains; ids by default. */
  readonly dealer_by?: "code" | "id";
  /** What words of the file mean. */
  readonly values?: OwnValues;
}

/**
 * Identifies a vehicle in a file that this service wrote. Another database may have this id, but not with this time of
 * creation.
 */
export interface ExportedIdentity {
  readonly id: number;
  readonly createdAt: string;
}

/** Something that was done with a cell, and that is told once for the whole file. */
export interface Note {
  readonly path: string;
  readonly code: "unit_converted";
  /** What was done, as an example. */
  readonly example: string;
}

/** The values of a row. */
export interface RowValues {
  /**
   * The fields in the form of a POST or PUT body, not yet validated. Only cells with values are there, without the
   * dealer and images.
   */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Image addresses in their order, each once; `null` if the row has none. */
  readonly images: readonly string[] | null;
  /** The address of the image that is to be the primary one. By default it is the first. */
  readonly primary?: string;
  readonly key: { readonly vin: string | null; readonly stock_number: string | null };
  /** The vehicle that the row is about, if this service wrote the file. */
  readonly exported: ExportedIdentity | null;
  /** The dealer that the row names, if it does. */
  readonly dealerId: number | null;
  /** The code of another system with which the row names its dealer, if it does. */
  readonly dealerCode?: string;
  readonly errors: readonly ImportIssue[];
  /** Faults that fail a row only if it would make a new vehicle. */
  readonly newOnly?: readonly ImportIssue[];
  readonly warnings: readonly ImportIssue[];
  readonly notes?: readonly Note[];
  /** Values that the service does not know. */
  readonly unknown?: readonly UnknownValue[];
  /** Why the row is no vehicle, if it is none. */
  readonly skipped?: ImportIssue;
}

/** The warning for an unusual VIN; `null` for any other value. */
export const vinWarning = (sent: unknown): CellFault | null =>
  typeof sent === "string" ? (vinFault(sent) ?? null) : null;

const WHOLE = /^[1-9]\d{0,14}$/;

/** Finds the vehicle that a row is about, if this service wrote the file; otherwise the result is always `null`. */
const exportedIdentityReader = ({
  columns,
  isOwnExport,
}: ImportColumns): ((cells: readonly Cell[]) => ExportedIdentity | null) => {
  if (!isOwnExport) return () => null;
  const [ids, moments] = ["id", "created_at"].map((name) => columns.findIndex(({ heading }) => heading === name));
  return (cells) => {
    const [id, createdAt] = [cells[ids ?? -1], cells[moments ?? -1]];
    return WHOLE.test(String(id)) && typeof createdAt === "string" ? { id: Number(id), createdAt } : null;
  };
};

const keyIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** A column that is read, with its place in the row. */
interface PlacedColumn extends ReadColumn {
  readonly place: number;
}

const placedColumns = ({ columns }: ImportColumns): readonly PlacedColumn[] =>
  columns.flatMap(({ heading, field }, place) => (field === null ? [] : [{ heading, field, place }]));

/** The columns in the order in which they are read: those of images by their numbers, whatever their order in the file. */
const inReadingOrder = (columns: readonly PlacedColumn[]): readonly PlacedColumn[] => {
  const ofImages = columns.filter(({ field }) => field === "images");
  const places = new Map(ofImages.map(({ heading, place }) => [place, photoPlaceOf(heading)]));
  const sorted = ofImages.toSorted((one, other) => (places.get(one.place) ?? 0) - (places.get(other.place) ?? 0));
  return [...columns.filter(({ field }) => field !== "images"), ...sorted];
};

/** Converts the distances of a row if the file has them in another unit than the installation. */
const distanceConverter = (columns: readonly PlacedColumn[], wanted: DistanceUnit | null) => {
  const ofFile = columns.flatMap(({ field, heading }) =>
    DISTANCES.flatMap((distance) =>
      distance === field ? [{ field: distance, heading, named: unitOfHeading(heading) }] : [],
    ),
  );
  if (ofFile.length === 0 || wanted === null) return () => [];
  return ({ fields, units }: RowDraft): readonly Note[] =>
    ofFile.flatMap(({ field, heading, named }) => {
      // What stands in the cell itself is nearest. A column of units says it of mileages before the heading does.
      const beside = field === "mileage" ? (units.column ?? named) : (named ?? units.column);
      const unit = units[field] ?? beside ?? null;
      const distance = fields[field];
      if (unit === null || unit === wanted || typeof distance !== "number") return [];
      const converted = inOtherUnit(distance, unit);
      fields[field] = converted;
      return [
        {
          path: heading,
          code: "unit_converted" as const,
          example: `${distance} ${unit} became ${converted} ${wanted}`,
        },
      ];
    });
};

const PRICES = ["price", "sold_price", "msrp"] as const;

/** Takes away the prices of a row in another currency than the installation's, which its heading or a column names. */
const currencyChecker = (columns: readonly PlacedColumn[], wanted: string | null): ((draft: RowDraft) => void) => {
  const ofPrices = columns.flatMap(({ field, heading }) =>
    PRICES.flatMap((price) => (price === field ? [{ field: price, heading, named: currencyOfHeading(heading) }] : [])),
  );
  if (wanted === null) return () => {};
  return (draft) => {
    for (const { field, heading, named } of ofPrices) {
      const currency = draft.currency ?? named;
      if (draft.fields[field] === undefined || currency === null || !isOtherCurrency(currency, wanted)) continue;
      delete draft.fields[field];
      addFault(draft, field, { path: heading, ...currencyDiffers(currency, wanted) });
    }
  };
};

/** Finds out whether a row repeats the heading. */
const repeatsHeading = ({ columns, isOwnExport }: ImportColumns): ((cells: readonly Cell[]) => boolean) => {
  const headings = columns.map(({ heading }) => heading.trim());
  const first = headings.findIndex((heading) => heading !== "");
  if (isOwnExport || headings.length < 2) return () => false;
  const isSame = (cell: Cell | undefined, place: number): boolean => String(cell ?? "").trim() === headings[place];
  return (cells) => isSame(cells[first], first) && headings.every((_, place) => isSame(cells[place], place));
};

/** The fields in whose columns a line may begin that is no vehicle. */
const LABELLED: ReadonlySet<string> = new Set(["vin", "stock_number", "year", "make", "model"]);

/** Finds out whether a row is no vehicle, and why. */
const skipReader = (file: ImportColumns, columns: readonly PlacedColumn[]) => {
  const labelled = columns.filter(({ field }) => LABELLED.has(field)).map(({ place }) => place);
  const isHeading = repeatsHeading(file);
  return (cells: readonly Cell[], fields: RowDraft["fields"]): ImportIssue | null => {
    if (isHeading(cells)) return HEADING_REPEATED;
    if (file.isOwnExport) return null;
    const { vin, stock_number, make, model } = fields;
    return isNoVehicle({ vin, stock_number, make, model }, { cells, labelled }) ? NO_VEHICLE : null;
  };
};

const contextOf = (file: ImportColumns, { decimal, empty, dealer_by, values = {} }: ValueOptions): CellContext => ({
  ...{ empty, isOwnExport: file.isOwnExport, values },
  dealerBy: file.isOwnExport ? "id" : (dealer_by ?? "id"),
  // Files that this service wrote always have decimal points.
  decimal: file.isOwnExport ? "point" : decimal,
  hasCondition: file.columns.some(({ field }) => field === "condition"),
  ...{ dateOrder: "mdy", currency: file.isOwnExport ? null : (file.decided?.currency ?? null) },
});

/** Reads the rows of a file with these columns. */
export const valuesReader = (file: ImportColumns, options: ValueOptions): ((cells: readonly Cell[]) => RowValues) => {
  const { isOwnExport, decided } = file;
  const columns = placedColumns(file);
  const exportedIdentity = exportedIdentityReader(file);
  const context = contextOf(file, options);
  const puts: readonly { readonly place: number; readonly isPlain: boolean; readonly put: WriteCell }[] =
    inReadingOrder(columns).map((column) => ({
      place: column.place,
      isPlain: isOwnExport || column.field === "description",
      put: cellWriter(column, { ...context, dateOrder: decided?.dateOrders[column.place] ?? context.dateOrder }),
    }));
  const convertDistances = distanceConverter(columns, isOwnExport ? null : (decided?.distanceUnit ?? null));
  const checkCurrency = currencyChecker(columns, context.currency);
  const skipOf = skipReader(file, columns);
  return (cells) => {
    const draft = emptyDraft();
    for (const { place, isPlain, put } of puts) {
      const cell = cells[place] ?? null;
      if (cell !== null) put(isPlain ? cell : withoutFormula(cell), draft);
    }
    const { fields, images, dealerId, dealerCode, errors, newOnly, warnings } = draft;
    if (draft.isCertified) fields.condition = "certified";
    const notes = convertDistances(draft);
    checkCurrency(draft);
    const skipped = skipOf(cells, fields);
    return {
      fields,
      images: images.size === 0 ? null : [...images],
      key: { vin: keyIn(fields.vin), stock_number: keyIn(fields.stock_number) },
      exported: exportedIdentity(cells),
      ...{ dealerId, errors, warnings },
      ...(dealerCode !== null && { dealerCode }),
      ...(newOnly.length > 0 && { newOnly }),
      ...(notes.length > 0 && { notes }),
      ...(draft.unknown.length > 0 && skipped === null && { unknown: draft.unknown }),
      ...(skipped !== null && { skipped }),
    };
  };
};
