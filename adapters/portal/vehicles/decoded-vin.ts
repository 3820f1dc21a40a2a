import { useEffect } from "react";
import type { DecodedVin } from "../../../core/vin/decode.ts";
import { useRecord } from "../api/queries.ts";
import type { useDraft } from "../forms/draft.ts";
import type { VehicleDraft } from "./vehicle-draft.ts";

const LENGTH = 17;

/**
 * Fills empty make and year fields from the VIN. Returns the problem with the VIN; `undefined` if it is right or still
 * incomplete.
 */
export const useDecodedVin = ({ values: { vin, make, year }, set }: ReturnType<typeof useDraft<VehicleDraft>>) => {
  const typed = vin.trim();
  const { data } = useRecord<DecodedVin>(
    `/vin/${encodeURIComponent(typed)}`,
    {},
    { enabled: typed.length === LENGTH, staleMs: "static" },
  );
  // Only a new VIN fills fields, so that values typed since then stay.
  // biome-ignore lint/correctness/useExhaustiveDependencies: filling depends on the VIN only: a field that the user emptied stays empty
  useEffect(() => {
    if (data === undefined) return;
    set({
      ...(make === "" && data.make !== null && { make: data.make }),
      ...(year === "" && data.year !== null && { year: String(data.year) }),
    });
  }, [data]);
  return data?.issues[0]?.message;
};
