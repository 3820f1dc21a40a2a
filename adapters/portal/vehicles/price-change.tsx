import { type ReactNode, useState } from "react";
import type { PriceChange, Rounding } from "../../../core/bulk/new-price.ts";
import type { Issue } from "../api/client.ts";
import { numberOrText } from "../forms/draft.ts";
import { ChoiceField, TextField } from "../forms/fields.tsx";

/** The ways to change a price: what the typed number means, the label, and that of the number. */
const ADJUSTMENTS = {
  "lower-percent": ["Lower by percent", "Percent"],
  "lower-amount": ["Lower by an amount", "Amount"],
  "raise-percent": ["Raise by percent", "Percent"],
  "raise-amount": ["Raise by an amount", "Amount"],
  set: ["Set to", "Price"],
} as const;
type Adjustment = keyof typeof ADJUSTMENTS;
const ADJUSTMENT_CHOICES = Object.entries(ADJUSTMENTS).map(
  ([adjustment, [label]]) => [adjustment as Adjustment, label] as const,
);

const ROUNDING_CHOICES: readonly (readonly [Rounding | "", string])[] = [
  ["", "To cents"],
  ["to_10", "To 10"],
  ["to_100", "To 100"],
  ["ending_95", "Ending in 95"],
  ["ending_99", "Ending in 99"],
];

/** What was typed: how prices change, and what they keep to. */
interface Wanted {
  readonly adjustment: Adjustment;
  readonly by: number;
  readonly rounding: Rounding | "";
  readonly lowest: number | null;
}

/** The change as the service takes it: a price, or a difference. */
const changeOf = ({ adjustment, by, rounding, lowest }: Wanted): number | PriceChange => {
  if (adjustment === "set") return by;
  const signed = adjustment.startsWith("lower") ? -by : by;
  return {
    ...(adjustment.endsWith("percent") ? { percent: signed } : { add: signed }),
    ...(rounding !== "" && { rounding }),
    ...(lowest !== null && { never_below: lowest }),
  };
};

/** The fields of a change of prices, and what was typed into them. */
interface TypedPriceChange {
  /** The change as the service takes it; `null` unless the fields are valid. */
  readonly wanted: number | PriceChange | null;
  /** True if no number was typed yet. */
  readonly isEmpty: boolean;
  readonly issues: readonly Issue[];
  readonly fields: ReactNode;
}

/** A change of prices as it is typed: a price, or a difference with its rounding and the lowest price. */
export const usePriceChange = ({ required }: { readonly required: boolean }): TypedPriceChange => {
  const [adjustment, setAdjustment] = useState<Adjustment>("lower-percent");
  const [typed, setTyped] = useState("");
  const [rounding, setRounding] = useState<Rounding | "">("");
  const [typedLowest, setTypedLowest] = useState("");
  const isSet = adjustment === "set";
  const [by, lowest] = [numberOrText(typed), isSet ? null : numberOrText(typedLowest)];
  const isByValid = typeof by === "number" && (isSet ? by >= 0 : by > 0);
  const isLowestValid = lowest === null || (typeof lowest === "number" && lowest >= 0);
  return {
    wanted: isByValid && isLowestValid ? changeOf({ adjustment, by, rounding, lowest }) : null,
    isEmpty: typed === "",
    issues: [
      ...(isByValid ? [] : [{ path: "by", message: by === null ? "is required" : "must be a number above 0" }]),
      ...(isLowestValid ? [] : [{ path: "lowest", message: "must be a number, or empty" }]),
    ],
    fields: (
      <>
        <ChoiceField
          path="adjustment"
          label="How"
          value={adjustment}
          onChange={setAdjustment}
          options={ADJUSTMENT_CHOICES}
        />
        <TextField
          path="by"
          label={ADJUSTMENTS[adjustment][1]}
          value={typed}
          onChange={setTyped}
          inputMode="decimal"
          required={required}
          autoFocus={required}
          {...(!required && { description: "Empty: the price stays as it is" })}
        />
        {!isSet && (
          <>
            <ChoiceField
              path="rounding"
              label="Rounded"
              value={rounding}
              onChange={setRounding}
              options={ROUNDING_CHOICES}
            />
            <TextField
              path="lowest"
              label="Never below"
              value={typedLowest}
              onChange={setTypedLowest}
              inputMode="decimal"
            />
          </>
        )}
      </>
    ),
  };
};
