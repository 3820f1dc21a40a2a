import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { formatCount } from "../page/figures.tsx";

const DAY_MS = 86_400_000;

/** Whole days from the arrival to the sale, or to now; `null` if one of these dates is unknown. */
export const daysOnLot = ({
  listed_at,
  sold_at,
  status,
}: Pick<Vehicle, "listed_at" | "sold_at" | "status">): number | null => {
  if (listed_at === null || (status === "sold" && sold_at === null)) return null;
  const end = sold_at === null ? Date.now() : Date.parse(sold_at);
  return Math.max(0, Math.floor((end - Date.parse(listed_at)) / DAY_MS));
};

/** The days on the lot, in words. */
export const onLotInWords = (vehicle: Parameters<typeof daysOnLot>[0]): string => {
  const days = daysOnLot(vehicle);
  return days === null ? "Not known" : formatCount(days, "day");
};
