import type { Vehicle, VehicleField } from "../../../core/vehicles/fields.ts";
import { numberOrText, numberText, textOrNull } from "../forms/draft.ts";

/** The columns of the sheet, in their order, with their kinds. */
export const SHEET_COLUMNS = {
  stock_number: "text",
  price: "number",
  mileage: "number",
  year: "number",
  make: "text",
  model: "text",
  trim: "text",
  condition: "text",
  exterior_color: "text",
  interior_color: "text",
  body_style: "text",
  fuel_type: "text",
  transmission: "text",
  drivetrain: "text",
  engine: "text",
  doors: "number",
  msrp: "number",
  vin: "text",
} as const satisfies { readonly [Field in VehicleField]?: "text" | "number" };
export type SheetField = keyof typeof SHEET_COLUMNS;
export const SHEET_FIELDS = Object.keys(SHEET_COLUMNS) as readonly SheetField[];

/** What was typed into cells, by the vehicle's id and the field; only where it differs from the vehicle. */
export type Edits = ReadonlyMap<number, Readonly<Partial<Record<SheetField, string>>>>;

/** A cell, by the places of its row and column. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** A rectangle of cells, from its first to its last one. */
export interface Range {
  readonly from: Place;
  readonly to: Place;
}

/** The rectangle between two of its corners. */
export const rangeBetween = (one: Place, other: Place): Range => ({
  from: { row: Math.min(one.row, other.row), column: Math.min(one.column, other.column) },
  to: { row: Math.max(one.row, other.row), column: Math.max(one.column, other.column) },
});

/** A value of a vehicle as its cell shows it. */
const storedText = (vehicle: Vehicle, field: SheetField): string => {
  const value = vehicle[field];
  return typeof value === "number" ? numberText(value) : (value ?? "");
};

/** What a cell shows: what was typed, else the vehicle's value. */
export const shownText = (vehicle: Vehicle, field: SheetField, edits: Edits): string =>
  edits.get(vehicle.id)?.[field] ?? storedText(vehicle, field);

/** Sets one cell. A text that says what the vehicle has is no edit. */
const withCell = (
  edits: Map<number, Partial<Record<SheetField, string>>>,
  vehicle: Vehicle,
  [field, text]: readonly [SheetField, string],
): void => {
  const { [field]: _, ...others } = edits.get(vehicle.id) ?? {};
  const after = text.trim() === storedText(vehicle, field) ? others : { ...others, [field]: text.trim() };
  if (Object.keys(after).length === 0) edits.delete(vehicle.id);
  else edits.set(vehicle.id, after);
};

/** The edits with a block of texts at a place. What would go beyond the sheet is left out. */
export const withBlock = (
  edits: Edits,
  vehicles: readonly Vehicle[],
  { at, texts }: { readonly at: Place; readonly texts: readonly (readonly string[])[] },
): Edits => {
  const after = new Map(edits);
  for (const [down, line] of texts.entries()) {
    const vehicle = vehicles[at.row + down];
    if (vehicle === undefined) break;
    for (const [right, text] of line.entries()) {
      const field = SHEET_FIELDS[at.column + right];
      if (field !== undefined) withCell(after, vehicle, [field, text]);
    }
  }
  return after;
};

/** The texts of a range, line by line. */
export const textsIn = (range: Range, vehicles: readonly Vehicle[], edits: Edits): readonly (readonly string[])[] =>
  vehicles
    .slice(range.from.row, range.to.row + 1)
    .map((vehicle) =>
      SHEET_FIELDS.slice(range.from.column, range.to.column + 1).map((field) => shownText(vehicle, field, edits)),
    );

/** The texts that fill a range with its first line. */
export const filledDown = (texts: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  texts.map(() => texts[0] ?? []);

/** The block that fills a range with one pasted text; any other block is pasted as it is. */
export const pastedInto = (range: Range, pasted: readonly (readonly string[])[]): readonly (readonly string[])[] => {
  const [text] = pasted[0] ?? [];
  if (pasted.length !== 1 || pasted[0]?.length !== 1 || text === undefined) return pasted;
  const columns = range.to.column - range.from.column + 1;
  return Array.from({ length: range.to.row - range.from.row + 1 }, () => Array.from({ length: columns }, () => text));
};

/**
 * The cells of a text from a spreadsheet: tabs between them, and lines; a cell in quotes may contain both. A last line
 * break ends the last line.
 */
export const cellsOf = (text: string): readonly (readonly string[])[] => {
  const lines: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  const endCell = (): void => {
    lines.at(-1)?.push(cell);
    cell = "";
  };
  const plain = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  for (let place = 0; place < plain.length; place++) {
    const sign = plain.charAt(place);
    if (isQuoted && sign === '"' && plain.charAt(place + 1) === '"') {
      cell += '"';
      place++;
    } else if (sign === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (isQuoted || (sign !== "\t" && sign !== "\n")) cell += sign;
    else {
      endCell();
      if (sign === "\n") lines.push([]);
    }
  }
  endCell();
  return lines;
};

/** The cells as a spreadsheet takes them. */
export const clipboardText = (texts: readonly (readonly string[])[]): string =>
  texts
    .map((line) => line.map((text) => (/["\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join("\t"))
    .join("\n");

/** The changes of a vehicle as the service takes them. What is no number is sent as it was typed, to be refused. */
export const changesOf = (edited: Readonly<Partial<Record<SheetField, string>>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(edited).map(([field, text]) => [
      field,
      SHEET_COLUMNS[field as SheetField] === "number" ? numberOrText(text) : textOrNull(text),
    ]),
  );

/** How many cells are edited. */
export const editCount = (edits: Edits): number =>
  [...edits.values()].reduce((sum, edited) => sum + Object.keys(edited).length, 0);
