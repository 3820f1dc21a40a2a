import { msOf, type Timestamp } from "../clock.ts";
import type { Issue } from "../issues.ts";
import type { Vehicle } from "./fields.ts";
import type { VehicleUpdate } from "./vehicle-repository.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The moment of a change, and the number of days after a sale within which a return undoes it. */
export interface ReturnRules {
  readonly now: Timestamp;
  readonly resaleDays: number;
}

/** True if a vehicle that comes back now was sold so lately that the sale is undone. An unknown date counts as lately. */
const isLately = ({ sold_at }: Pick<Vehicle, "sold_at">, { now, resaleDays }: ReturnRules): boolean =>
  sold_at === null || msOf(now) - msOf(sold_at) <= resaleDays * DAY_MS;

/** What is wrong with `undo_sale`: it says what becomes of a sale that ends. */
export const undoSaleIssues = (present: Pick<Vehicle, "status">, { status, undo_sale }: VehicleUpdate): Issue[] =>
  undo_sale !== undefined && (status ?? present.status) === "sold"
    ? [
        {
          path: "undo_sale",
          message: "belongs to a sold vehicle that becomes available or pending; send that status with it",
        },
      ]
    : [];

/**
 * A change with what it does to the sale of a vehicle that comes back. Lately after the sale, or if `undo_sale` says so,
 * the sale is undone. Otherwise it stands, and the vehicle's second stay on the lot begins: it is listed now, unless the
 * change says when. Any other change has no `undo_sale`. A sale stays with the dealer that a vehicle leaves.
 */
export const withReturn = (
  present: Pick<Vehicle, "status" | "sold_at" | "dealer_id">,
  { undo_sale, ...changes }: VehicleUpdate,
  rules: ReturnRules,
): VehicleUpdate => {
  const { status, dealer_id = present.dealer_id } = changes;
  const comesBack = present.status === "sold" && status !== undefined && status !== "sold";
  if (!comesBack || dealer_id !== present.dealer_id) return changes;
  const isUndone = undo_sale ?? isLately(present, rules);
  return isUndone
    ? { ...changes, undo_sale: true }
    : { ...changes, listed_at: changes.listed_at ?? rules.now, undo_sale: false };
};
