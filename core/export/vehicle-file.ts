import { withFields } from "../stored-json.ts";
import { fieldsOf, VEHICLE_FIELDS, type VehicleField } from "../vehicles/fields.ts";
import { VEHICLE_READ_ONLY, type Vehicle } from "../vehicles/vehicle.ts";
import { EXPORT_FORMATS, type ExportFile, exportFile } from "./export-file.ts";
import { type SheetColumn, sheetFile } from "./sheet-file.ts";

/** The forms of an export of vehicles: text, or a workbook. */
export const VEHICLE_FORMATS = [...EXPORT_FORMATS, "xlsx"] as const;
export type VehicleFormat = (typeof VEHICLE_FORMATS)[number];

/** A vehicle as an export reads it. */
export interface ExportedVehicle {
  /** The vehicle as the API answers it, as JSON without white space around it. */
  readonly document: string;
  /** The addresses of its images in their order, with a space between two; `null` if it has none. */
  readonly images: string | null;
}

const READ_ONLY: ReadonlySet<string> = new Set(VEHICLE_READ_ONLY);
const SETTABLE = (Object.keys(VEHICLE_FIELDS) as VehicleField[]).filter((name) => !READ_ONLY.has(name));

/**
 * How a file is written: what is written, imported, changes nothing. The columns of a table are all that an import
 * reads, with `id` and `created_at`, by which the import knows its own files. Without `ofSeveralDealers` there is none
 * for the dealer; with `forSpreadsheet` an apostrophe stands before each text that a spreadsheet would calculate. A
 * line of JSON is the vehicle as the API answers it, and its images. A workbook is its sheet as XML, whose texts are
 * texts; images that take more than a cell are an empty one, which an import leaves as they are.
 */
export const vehicleFile = ({
  ofSeveralDealers,
  ...form
}: {
  readonly format: VehicleFormat;
  readonly forSpreadsheet: boolean;
  readonly ofSeveralDealers: boolean;
}): ExportFile<ExportedVehicle, VehicleFormat> => {
  const fields: readonly VehicleField[] = [
    "id",
    ...SETTABLE.filter((name) => ofSeveralDealers || name !== "dealer_id"),
  ];
  const columns = [...fields, "images", "created_at"];
  const cells = ({ document, images }: ExportedVehicle): readonly (string | number | null)[] => {
    const vehicle = JSON.parse(document) as Vehicle;
    const values: (string | number | null)[] = fields.map((name) => vehicle[name]);
    values.push(images, vehicle.created_at);
    return values;
  };
  const { format, forSpreadsheet } = form;
  if (format !== "xlsx") return exportFile({ format, forSpreadsheet }, { columns, cells, json });
  const { heading, line, end } = sheetFile(columns.map(sheetColumn));
  return { format, heading, line: (vehicle) => line(cells(vehicle)), end };
};

const MOMENTS: ReadonlySet<string> = new Set(fieldsOf("date", "moment"));
const DAYS: ReadonlySet<string> = new Set(fieldsOf("day"));
/** Columns whose values need more or less room than their names. */
const WIDTHS: Readonly<Record<string, number>> = { description: 60, features: 40, images: 40, title: 32, vin: 20 };
const MOMENT_WIDTH = 19;
const LEAST_WIDTH = 10;

const sheetColumn = (name: string): SheetColumn => {
  const isMoment = MOMENTS.has(name);
  const width = WIDTHS[name] ?? Math.max(isMoment ? MOMENT_WIDTH : LEAST_WIDTH, name.length + 2);
  return { name, width, kind: isMoment ? "moment" : DAYS.has(name) ? "day" : "plain" };
};

const json = ({ document, images }: ExportedVehicle): string => withFields(document, { images });
