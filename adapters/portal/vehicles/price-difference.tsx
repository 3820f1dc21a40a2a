import { VisuallyHidden } from "@mantine/core";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { Price } from "../settings/amounts.tsx";
import { CalendarDate } from "../times/times.tsx";

interface PriceDifferenceProps {
  readonly vehicle: Pick<Vehicle, "price" | "previous_price" | "price_changed_at">;
  /** True where the day of the change is told, too. */
  readonly withDate?: boolean;
}

/** By how much a price is lower or higher than it was before; nothing if it never changed. */
export const PriceDifference = ({ vehicle, withDate = false }: PriceDifferenceProps) => {
  const { price, previous_price: before, price_changed_at: at } = vehicle;
  if (before === null || before === price) return null;
  const [sign, words, look] = before > price ? ["↓", "lowered by", " lowered"] : ["↑", "raised by", ""];
  return (
    <span className={`second-line${look}`}>
      <span aria-hidden>{sign} </span>
      <VisuallyHidden>{words} </VisuallyHidden>
      <Price of={Math.abs(before - price)} />
      {withDate && at !== null && (
        <>
          {" on "}
          <CalendarDate at={at} />
        </>
      )}
    </span>
  );
};
