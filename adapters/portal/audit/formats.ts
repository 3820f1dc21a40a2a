import type { Formats } from "../../../core/audit/field-words.ts";
import { useDealerName } from "../dealers/dealer-choice.tsx";
import { momentInWords } from "../moments/moment.tsx";
import { mileageInWords, priceInWords } from "../vehicles/vehicle-words.ts";

/** How the portal writes recorded values. */
export const useFormats = (): Formats => {
  const dealer = useDealerName();
  return { price: priceInWords, distance: mileageInWords, moment: momentInWords, dealer };
};
