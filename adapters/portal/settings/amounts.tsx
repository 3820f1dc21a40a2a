import { distanceFormat, priceFormat } from "./amount-formats.ts";
import { useUnits } from "./settings.tsx";

/** How prices and distances are written here. */
export const useAmountFormats = () => {
  const { currency, distance_unit } = useUnits();
  return { price: priceFormat(currency), distance: distanceFormat(distance_unit) };
};

/** A price. */
export const Price = ({ of }: { of: number }) => useAmountFormats().price(of);

/** A mileage, or that it is not known. */
export const Mileage = ({ of }: { of: number | null }) => {
  const { distance } = useAmountFormats();
  return of === null ? "Unknown" : distance(of);
};
