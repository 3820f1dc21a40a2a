import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";
import { StateBadge, type StateColor } from "../page/state-badge.tsx";
import { statusInWords } from "./vehicle-words.ts";

const COLORS: Readonly<Record<Status, StateColor>> = { available: "green", pending: "amber", sold: "grey" };

/** The status of a vehicle, as a badge. */
export const VehicleState = ({ vehicle: { status } }: { vehicle: Pick<Vehicle, "status"> }) => (
  <StateBadge color={COLORS[status]}>{statusInWords(status)}</StateBadge>
);
