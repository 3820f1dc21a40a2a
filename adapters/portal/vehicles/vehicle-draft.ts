import {
  type FieldOf,
  fieldsOf,
  STAGES,
  type Stage,
  VEHICLE_FIELDS,
  type Vehicle,
  type VehicleField,
} from "../../../core/vehicles/fields.ts";
import { labelFromName, numberOrText, numberText, recordOf, textOrNull } from "../forms/draft.ts";
import { dateOf, timestampOfDate } from "../times/dates.ts";

const NAMES = fieldsOf("name");
const NUMBERS = fieldsOf("year", "price", "whole", "decimal", "money");
const TEXTS = fieldsOf("text", "code", "long", "day");
const DATES = fieldsOf("date");
type TypedField = (typeof NAMES | typeof NUMBERS | typeof TEXTS)[number];
type Flag = FieldOf<"flag">;

/** The first fields of forms; the others follow in the order of the field list. */
const LEADING_FIELDS: readonly VehicleField[] = [
  "make",
  "model",
  "year",
  "price",
  "status",
  "mileage",
  "title",
  "trim",
  "vin",
  "stock_number",
  "features",
];
const inOrder = <Name extends VehicleField>(fields: readonly Name[]): readonly Name[] => [
  ...LEADING_FIELDS.flatMap((name) => fields.filter((field) => field === name)),
  ...fields.filter((field) => !LEADING_FIELDS.includes(field)),
];

/** Single-line fields, multi-line fields and checkboxes, in the order of forms. */
export const SHORT_FIELDS = inOrder(
  fieldsOf("name", "year", "price", "status", "text", "code", "whole", "decimal", "money", "day"),
);
export const LONG_FIELDS = inOrder(fieldsOf("long"));
export const FLAGS = inOrder(fieldsOf("flag"));
/** Stage, arrival and sale: fields that depend on each other. */
export const LOT_FIELDS = fieldsOf("stage", "date");

/** What European buyers ask of a vehicle's past, and what all ask of its energy. Forms and pages show them together. */
export const PAST_FIELDS: readonly VehicleField[] = ["date_first_registered", "owners", "warranty"];
export const ENERGY_FIELDS: readonly VehicleField[] = [
  ...(["electric_range", "battery_capacity", "charge_port", "energy_consumption"] as const),
  ...(["fuel_consumption", "co2_emissions", "emissions_standard"] as const),
];

const LABELS: { readonly [Field in VehicleField]?: string } = {
  vin: "VIN",
  msrp: "MSRP",
  owners: "Previous owners",
  date_first_registered: "First registered",
  co2_emissions: "CO2 emissions",
};

/** The label of a field. */
export const labelOf = (field: VehicleField): string => LABELS[field] ?? labelFromName(field);

/** The unit of a measure. It is the same everywhere, whatever the installation's unit of distance is. */
export const UNITS: { readonly [Field in VehicleField]?: string } = {
  battery_capacity: "kWh",
  energy_consumption: "kWh/100 km",
  fuel_consumption: "l/100 km",
  co2_emissions: "g/km",
};

/** A vehicle as the form holds it. */
export type VehicleDraft = Readonly<Record<TypedField | FieldOf<"date">, string> & Record<Flag, boolean>> &
  Pick<Vehicle, "status"> & { readonly stage: Stage | "" };

/** The form of an existing vehicle, or of a new one. */
export const draftOfVehicle = (vehicle?: Vehicle): VehicleDraft => ({
  ...recordOf([...NAMES, ...TEXTS], (field) => vehicle?.[field] ?? ""),
  ...recordOf(NUMBERS, (field) => numberText(vehicle?.[field] ?? null)),
  ...recordOf(FLAGS, (field) => (vehicle?.[field] ?? VEHICLE_FIELDS[field].initial) === 1),
  ...recordOf(DATES, (field) => dateOf(vehicle?.[field] ?? null)),
  status: vehicle?.status ?? "available",
  stage: vehicle?.stage ?? "",
});

/** When a sold vehicle was sold. If it was listed on the same day, not before the listing. */
const soldAtOf = ({ status, sold_at }: VehicleDraft, listedAt: string | null, before: string | null): string | null => {
  const moment = status === "sold" ? timestampOfDate(sold_at, before) : null;
  return moment !== null && listedAt !== null && sold_at === dateOf(listedAt) && moment < listedAt ? listedAt : moment;
};

/** The stage and dates for the request. For a new vehicle, the service sets those left empty. */
const lotFieldsOf = (draft: VehicleDraft, vehicle: Vehicle | undefined): Readonly<Record<string, string | null>> => {
  const listed_at = timestampOfDate(draft.listed_at, vehicle?.listed_at ?? null);
  const sold_at = soldAtOf(draft, listed_at, vehicle?.sold_at ?? null);
  // A stage that belongs to another status is dropped.
  const stage = STAGES[draft.status].find((one) => one === draft.stage) ?? null;
  const standing = { stage, listed_at, sold_at };
  if (vehicle !== undefined) return standing;
  return Object.fromEntries(Object.entries(standing).filter(([, value]) => value !== null));
};

/** The request body of a draft. A date keeps the vehicle's exact time unless the user chose another day. */
export const bodyOfVehicle = (draft: VehicleDraft, vehicle?: Vehicle): Readonly<Record<string, unknown>> => {
  const { stage: _stage, listed_at: _listed, sold_at: _sold, ...others } = draft;
  return {
    ...others,
    ...lotFieldsOf(draft, vehicle),
    ...recordOf(NUMBERS, (field) => numberOrText(draft[field])),
    ...recordOf(TEXTS, (field) => textOrNull(draft[field])),
  };
};
