import Type from "typebox";
import type { Timestamp } from "../clock.ts";
import { type Input, nullable, text } from "../schema.ts";
import { validator } from "../validation.ts";
import { dateSchema, priceSchema } from "../vehicles/vehicle.ts";

/** The sale of a vehicle as it is answered. */
export interface Sale {
  /**
   * The price at which it was sold, as somebody entered it. `null` if nobody has, whatever the vehicle's price is or
   * was.
   */
  readonly sold_price: number | null;
  readonly sold_at: Timestamp | null;
  readonly note: string | null;
  /** The change of it, if it was made in the portal just now. */
  readonly change_id?: string;
}

/** Body of PUT /api/vehicles/:id/sale. Every field is optional. */
export const SaleChanges = Type.Object({
  sold_price: nullable(priceSchema({ description: "What it was sold for. `null` if nobody entered it yet." })),
  sold_at: nullable(
    dateSchema({ description: "The time of the sale, which is the vehicle's `sold_at`. `null` leaves it unchanged." }),
  ),
  note: nullable(text(0, 1000)),
  undo_sale: Type.Optional(
    Type.Boolean({
      fault: "must be true or false",
      description:
        "Ends the sale, and makes the vehicle available; sent alone. `true` undoes the sale, however long ago it was. `false` lets it stand in reports and begins the vehicle's second stay on the lot, listed now.",
    }),
  ),
});
export type SaleChanges = Input<typeof SaleChanges>;

export const saleChanges = validator(SaleChanges);
