import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { daysOnLot, onLotInWords } from "./days-on-lot.ts";
import { lotAgeOf } from "./lot-ages.ts";

/** The days on the lot, with the colour of their age as long as the vehicle is there. */
export const LotAge = ({ vehicle }: { vehicle: Vehicle }) => {
  const days = vehicle.status === "sold" ? null : daysOnLot(vehicle);
  return (
    <span className="days-on-lot">
      {days !== null && <i className="age-mark" data-age={lotAgeOf(days)} aria-hidden />}
      {onLotInWords(vehicle)}
    </span>
  );
};
