import type { DateOrder } from "../../settings/date-order.ts";
import type { DistanceUnit } from "../values/units.ts";

/**
 * What was decided about a file when all of it had arrived. It is stored with the import, so that every instance that
 * goes on with it reads the same values, whatever the settings are then.
 */
export interface Decided {
  /** The order of day and month of each column of dates, by its place. */
  readonly dateOrders: Readonly<Record<string, DateOrder>>;
  /** The installation's unit of distance; `null` if distances are kept as they are. */
  readonly distanceUnit: DistanceUnit | null;
  /** The installation's currency; `null` if signs of others are dropped. */
  readonly currency: string | null;
}
