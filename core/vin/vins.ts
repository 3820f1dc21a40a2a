import { admit } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import type { Outcome } from "../failure.ts";
import { type DecodedVin, decodeVin } from "./decode.ts";

/** The use case of decoding VINs (interface 6.1). Every caller may use it, as it reveals nothing about any record. */
export const makeVins = () => ({
  decode(principal: Principal, text: string): Outcome<DecodedVin> {
    return admit(principal, "vehicle.vin") ?? decodeVin(text);
  },
});

export type Vins = ReturnType<typeof makeVins>;
