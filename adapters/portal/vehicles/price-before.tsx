import { VisuallyHidden } from "@mantine/core";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { Day } from "../moments/moment.tsx";
import { Price } from "../settings/amounts.tsx";

interface PriceBeforeProps {
  readonly vehicle: Pick<Vehicle, "price" | "previous_price" | "price_changed_at">;
  /** True where the day of the change is told, too. */
  readonly isDated?: boolean;
}

/** By how much a price is lower or higher than it was before; nothing if it never changed. */
export const PriceBefore = ({ vehicle, isDated = false }: PriceBeforeProps) => {
  const { price, previous_price: before, price_changed_at: at } = vehicle;
  if (before === null || before === price) return null;
  const [sign, words, look] = before > price ? ["↓", "lowered by", " lowered"] : ["↑", "raised by", ""];
  return (
    <span className={`second-fact${look}`}>
      <span aria-hidden>{sign} </span>
      <VisuallyHidden>{words} </VisuallyHidden>
      <Price of={Math.abs(before - price)} />
      {isDated && at !== null && (
        <>
          {" on "}
          <Day at={at} />
        </>
      )}
    </span>
  );
};
