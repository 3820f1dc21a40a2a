import { VisuallyHidden } from "@mantine/core";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { Price } from "../settings/amounts.tsx";
import { CalendarDate } from "../times/times.tsx";

interface PriceDifferenceProps {
  readonly vehicle: Pick<Vehicle, "price" | "previous_price" | "price_changed_at">;
  /** True to show the day of the change, too. */
  readonly withDate?: boolean;
}

/** The difference from the previous price; nothing if the price never changed. */
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
