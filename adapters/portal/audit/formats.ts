import type { Formats } from "../../../core/audit/field-words.ts";
import { useDealerName } from "../dealers/dealer-choice.tsx";
import { useMoments } from "../moments/moment.tsx";
import { useAmounts } from "../settings/amounts.tsx";

/** How the portal writes recorded values. */
export const useFormats = (): Formats => {
  const dealer = useDealerName();
  const { price, distance } = useAmounts();
  return { price, distance, moment: useMoments().full, dealer };
};
