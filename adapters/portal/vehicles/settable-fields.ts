import type { VehicleField } from "../../../core/vehicles/fields.ts";
import { LONG_FIELDS, SHORT_FIELDS } from "./vehicle-draft.ts";

/** Fields that are each vehicle's own, or that have an action of their own. */
const LEFT_OUT: readonly VehicleField[] = ["title", "vin", "stock_number", "price", "status"];

/** The fields that can be set for many vehicles at once. */
export const SETTABLE_FIELDS = [...SHORT_FIELDS, ...LONG_FIELDS].filter((field) => !LEFT_OUT.includes(field));
export type SettableField = (typeof SETTABLE_FIELDS)[number];

/** True for the name of a field that can be set for many vehicles at once. */
export const isSettable = (field: string): field is SettableField => SETTABLE_FIELDS.some((one) => one === field);
