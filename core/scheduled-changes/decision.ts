import { changedPrice } from "../bulk/price-change.ts";
import { Failure } from "../failure.ts";
import type { Issue } from "../issues.ts";
import type { JsonRecord } from "../stored-json.ts";
import { comparedBy, fieldsToBeUnique, type UniqueField } from "../vehicles/duplicates.ts";
import type { ReturnRules } from "../vehicles/resale.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { VehicleUpdate } from "../vehicles/vehicle-repository.ts";
import { checkedChanges } from "../vehicles/vehicles.ts";
import type { ScheduledFields, ScheduledVehicle, ScheduleState } from "./schedule.ts";
import type { ScheduleCounts, WaitingVehicle } from "./schedule-repository.ts";

const CHANGED = "It was changed since";
const GONE = "It is not among the dealer's vehicles any more";

/** A vehicle for which a scheduled change is dropped, because it changed in the meantime. */
export const droppedAsChanged = (id: number): ScheduledVehicle => ({
  id,
  outcome: "dropped",
  reason: "changed",
  message: CHANGED,
});

/** A vehicle that cannot have the scheduled values. */
export const droppedAsRefused = (id: number, issues: readonly Issue[]): ScheduledVehicle => ({
  id,
  outcome: "dropped",
  reason: "refused",
  message: issues.map(({ path, message }) => `${path} ${message}`.trim()).join("; "),
});

/** What is to be set, and the fields by which the vehicle must not be a duplicate then. */
export interface DecidedUpdate {
  readonly update: VehicleUpdate;
  readonly unique: readonly UniqueField[];
  readonly compared: ReturnType<typeof comparedBy>;
}

/**
 * What becomes of a scheduled change for one vehicle: it is dropped if the vehicle is gone, is of another version than
 * when it was scheduled, or cannot have the values.
 */
export const decisionFor = (
  present: JsonRecord<Vehicle> | null,
  { id, version }: WaitingVehicle,
  { changes, ...rules }: ReturnRules & { readonly changes: ScheduledFields },
): ScheduledVehicle | DecidedUpdate => {
  if (present === null) return { id, outcome: "dropped", reason: "gone", message: GONE };
  if (present.updated_at !== version) return droppedAsChanged(id);
  const vehicle = present.parse();
  const { price: wanted, ...others } = changes;
  const price = typeof wanted === "object" ? changedPrice(vehicle.price, wanted) : wanted;
  if (typeof price === "object") return droppedAsRefused(id, [price]);
  const update = checkedChanges(vehicle, { ...others, ...(price !== undefined && { price }) }, rules);
  if (update instanceof Failure)
    return droppedAsRefused(id, update.cause.kind === "invalid" ? update.cause.issues : []);
  const isSame = Object.entries(update).every(([name, value]) => vehicle[name as keyof Vehicle] === value);
  if (isSame) return { id, outcome: "unchanged", reason: null, message: null };
  const unique = fieldsToBeUnique(vehicle, update);
  return { update, unique, compared: comparedBy(vehicle, unique) };
};

/** How a scheduled change ended: it is done if any of its vehicles is as it was to be. */
export const endStateOf = ({ updated, unchanged }: ScheduleCounts): ScheduleState =>
  updated + unchanged > 0 ? "done" : "dropped";
