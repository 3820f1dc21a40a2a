import Type from "typebox";
import type { Timestamp } from "../clock.ts";
import { type Input, nullable, text } from "../schema.ts";
import { validator } from "../validation.ts";
import { dateSchema, priceSchema } from "../vehicles/vehicle.ts";

/** The sale of a vehicle as it is answered. */
export interface Sale {
  /**
   * The price at which it was sold. Unless somebody changed it, it is the price that the vehicle had when it was marked
   * as sold. `null` if it is unknown.
   */
  readonly sold_price: number | null;
  readonly sold_at: Timestamp | null;
  readonly note: string | null;
}

/** Body of PUT /api/vehicles/:id/sale. Every field is optional. */
export const SaleChanges = Type.Object({
  sold_price: nullable(priceSchema({ description: "The selling price. `null` if it is unknown." })),
  sold_at: nullable(
    dateSchema({ description: "The time of the sale, which is the vehicle's `sold_at`. `null` leaves it unchanged." }),
  ),
  note: nullable(text(0, 1000)),
});
export type SaleChanges = Input<typeof SaleChanges>;

export const saleChanges = validator(SaleChanges);
