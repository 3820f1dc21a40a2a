import type { RepricedVehicle } from "./today-repository.ts";

/** A vehicle whose price is not that of any file. */
export interface PriceCorrection {
  readonly id: number;
  /** The price that was in the latest file. */
  readonly filePrice: number;
}

/**
 * The vehicles whose prices people corrected. As with the other fields, a price that any of the files has is no
 * correction.
 */
export const priceCorrections = (repriced: readonly RepricedVehicle[]): PriceCorrection[] =>
  repriced.flatMap(({ id, price, said }) => {
    const [filePrice] = said;
    return filePrice === undefined || said.includes(price) ? [] : [{ id, filePrice }];
  });
