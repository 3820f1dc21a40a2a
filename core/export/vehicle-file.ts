import { VEHICLE_FIELDS, type VehicleField } from "../vehicles/fields.ts";
import { VEHICLE_READ_ONLY, type Vehicle } from "../vehicles/vehicle.ts";
import { type ExportFile, type ExportFormat, exportFile } from "./export-file.ts";

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
 * line of JSON is the vehicle as the API answers it, and its images.
 */
export const vehicleFile = ({
  ofSeveralDealers,
  ...form
}: {
  readonly format: ExportFormat;
  readonly forSpreadsheet: boolean;
  readonly ofSeveralDealers: boolean;
}): ExportFile<ExportedVehicle> => {
  const fields: readonly VehicleField[] = [
    "id",
    ...SETTABLE.filter((name) => ofSeveralDealers || name !== "dealer_id"),
  ];
  return exportFile(form, {
    columns: [...fields, "images", "created_at"],
    cells({ document, images }) {
      const vehicle = JSON.parse(document) as Vehicle;
      const cells: (string | number | null)[] = fields.map((name) => vehicle[name]);
      cells.push(images, vehicle.created_at);
      return cells;
    },
    json,
  });
};

/** The vehicle as it is stored, with its images: to parse it first would take four times as long. */
const json = ({ document, images }: ExportedVehicle): string =>
  `${document.slice(0, -1)},"images":${JSON.stringify(images)}}`;
