import { useCase } from "../access/use-case.ts";
import type { Outcome } from "../failure.ts";
import { type DecodedVin, decodeVin } from "./decode.ts";

/** The use case of decoding VINs (interface 6.1). Every caller may use it, as it reveals nothing about any record. */
export const makeVins = () => ({
  decode: useCase("vehicle.vin", (_, text: string): Outcome<DecodedVin> => decodeVin(text)),
});

export type Vins = ReturnType<typeof makeVins>;
