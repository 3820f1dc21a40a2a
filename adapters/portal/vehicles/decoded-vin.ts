import { useEffect } from "react";
import type { DecodedVin } from "../../../core/vin/decode.ts";
import { useRecord } from "../api/queries.ts";
import type { useDraft } from "../forms/draft.ts";
import type { VehicleDraft } from "./vehicle-draft.ts";

const LENGTH = 17;

/**
 * Fills make and year, where nothing was typed, with what the VIN says. Returns what is wrong with the VIN; `undefined`
 * for a right one, and until it has all its characters.
 */
export const useDecodedVin = ({ values: { vin, make, year }, set }: ReturnType<typeof useDraft<VehicleDraft>>) => {
  const typed = vin.trim();
  const { data } = useRecord<DecodedVin>(
    `/vin/${encodeURIComponent(typed)}`,
    {},
    { enabled: typed.length === LENGTH, staleMs: "static" },
  );
  // What was typed meanwhile stays: only a new VIN fills anything.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an emptied field is not filled again.
  useEffect(() => {
    if (data === undefined) return;
    set({
      ...(make === "" && data.make !== null && { make: data.make }),
      ...(year === "" && data.year !== null && { year: String(data.year) }),
    });
  }, [data]);
  return data?.issues[0]?.message;
};
