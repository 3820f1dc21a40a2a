import { type FieldOf, fieldsOf, type Vehicle, type VehicleField } from "../../../core/vehicles/fields.ts";
import { labelFromName, numberOrText, numberText, recordOf, textOrNull } from "../forms/draft.ts";

const NAMES = fieldsOf("name");
const NUMBERS = fieldsOf("year", "price", "whole");
const TEXTS = fieldsOf("text", "code", "long");
type TypedField = (typeof NAMES | typeof NUMBERS | typeof TEXTS)[number];
type Flag = FieldOf<"flag">;

/** The fields with which forms begin; others follow in the order of the list. */
const FIRST: readonly VehicleField[] = [
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
  ...FIRST.flatMap((name) => fields.filter((field) => field === name)),
  ...fields.filter((field) => !FIRST.includes(field)),
];

/** Fields of one line, those of several, and those that are checked or not, in the order of forms. */
export const SHORT_FIELDS = inOrder(fieldsOf("name", "year", "price", "status", "text", "code", "whole"));
export const LONG_FIELDS = inOrder(fieldsOf("long"));
export const FLAGS = inOrder(fieldsOf("flag"));

/** What a field is called. */
export const labelOf = (field: VehicleField): string => (field === "vin" ? "VIN" : labelFromName(field));

/** A vehicle as it is typed. */
export type VehicleDraft = Readonly<Record<TypedField, string> & Record<Flag, boolean>> & Pick<Vehicle, "status">;

/** A vehicle to be edited, or one not yet begun. */
export const draftOfVehicle = (vehicle?: Vehicle): VehicleDraft => ({
  ...recordOf([...NAMES, ...TEXTS], (field) => vehicle?.[field] ?? ""),
  ...recordOf(NUMBERS, (field) => numberText(vehicle?.[field] ?? null)),
  ...recordOf(FLAGS, (field) => vehicle?.[field] === 1),
  status: vehicle?.status ?? "available",
});

/** The draft as the service takes it. */
export const bodyOfVehicle = (draft: VehicleDraft): Readonly<Record<string, unknown>> => ({
  ...draft,
  ...recordOf(NUMBERS, (field) => numberOrText(draft[field])),
  ...recordOf(TEXTS, (field) => textOrNull(draft[field])),
});
