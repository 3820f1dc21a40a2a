import { distanceFormat, priceFormat } from "./amount-formats.ts";
import { useUnits } from "./settings.tsx";

/** Formats prices and distances as the settings say. */
export const useAmountFormats = () => {
  const { currency, distance_unit } = useUnits();
  return { price: priceFormat(currency), distance: distanceFormat(distance_unit) };
};

/** A price. */
export const Price = ({ of }: { of: number }) => useAmountFormats().price(of);

/** A mileage; "Unknown" for `null`. */
export const Mileage = ({ of }: { of: number | null }) => {
  const { distance } = useAmountFormats();
  return of === null ? "Unknown" : distance(of);
};
