import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { type PriceChange, priceAfter, type Rounding } from "../../../core/bulk/new-price.ts";
import { isUnusualChange } from "../../../core/vehicles/price-doubt.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { numberOrText } from "../forms/draft.ts";
import { CheckboxField, ChoiceField, TextField } from "../forms/fields.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import type { BulkDialogProps } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { formatCount } from "../page/figures.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { useDryRun, useUndoableChanges } from "./bulk-request.ts";
import { titleWithStockNumber } from "./vehicle-words.ts";

const DEBOUNCE_MS = 300;

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

const newPrice = (price: number, change: number | PriceChange): number =>
  typeof change === "number" ? change : priceAfter(price, change);

const sumOf = (prices: readonly number[]): number => prices.reduce((sum, price) => sum + price, 0);

/** What all prices together, and the average, were and will be. */
const Totals = ({ before, after }: { readonly before: readonly number[]; readonly after: readonly number[] }) => {
  const { price } = useAmountFormats();
  if (before.length < 2) return null;
  const [sum, sumAfter] = [sumOf(before), sumOf(after)];
  return (
    <Text size="sm">
      In all {price(sum)}, then {price(sumAfter)}. On average {price(Math.round(sum / before.length))}, then{" "}
      {price(Math.round(sumAfter / before.length))}.
    </Text>
  );
};

/**
 * Changes the prices of the selected vehicles; of sold ones only if that is chosen. Undo restores each price that nobody
 * changed since.
 */
export const ChangePrice = (dialogProps: BulkDialogProps<Vehicle>) => {
  const { price } = useAmountFormats();
  const { changeVehicles, undoAll } = useUndoableChanges((row) => `${price(row.price)} again`);
  const [adjustment, setAdjustment] = useState<Adjustment>("lower-percent");
  const [typed, setTyped] = useState("");
  const [rounding, setRounding] = useState<Rounding | "">("");
  const [typedLowest, setTypedLowest] = useState("");
  const [includesSold, setIncludesSold] = useState(false);
  const isSet = adjustment === "set";
  const [by, lowest] = [numberOrText(typed), isSet ? null : numberOrText(typedLowest)];
  const isByValid = typeof by === "number" && (isSet ? by >= 0 : by > 0);
  const isLowestValid = lowest === null || (typeof lowest === "number" && lowest >= 0);
  const wanted = isByValid && isLowestValid ? changeOf({ adjustment, by, rounding, lowest }) : null;
  const [debounced] = useDebouncedValue(wanted === null ? null : JSON.stringify(wanted), DEBOUNCE_MS);
  const { rows } = dialogProps;
  const sold = rows.filter(({ status }) => status === "sold").length;
  const wouldSkip = useDryRun(rows, debounced === null ? null : { changes: { price: JSON.parse(debounced) } });
  const skipReasonOf = (row: Vehicle) => (row.status === "sold" && !includesSold ? "sold" : wouldSkip(row));
  const newPriceOf = (row: Vehicle): number => (wanted === null ? row.price : newPrice(row.price, wanted));
  const fromTo = (row: Vehicle): string => `from ${price(row.price)} to ${price(newPriceOf(row))}`;
  const changing = rows.filter((row) => skipReasonOf(row) === false);
  return (
    <BulkChange
      {...dialogProps}
      title={(count) => `Change the price of ${formatCount(count, "vehicle")}?`}
      confirm="Change the price"
      resultTitle={(count) => `The price of ${formatCount(count, "vehicle")} changed`}
      isChanged={typed !== ""}
      keyOf={({ id }) => id}
      nameOf={titleWithStockNumber}
      skipReason={skipReasonOf}
      isLargeChange={(row) => wanted !== null && isUnusualChange(row.price, newPriceOf(row))}
      detail={(row) => (wanted === null ? price(row.price) : fromTo(row))}
      validate={() =>
        throwIfIssues([
          ...(isByValid ? [] : [{ path: "by", message: by === null ? "is required" : "must be a number above 0" }]),
          ...(isLowestValid ? [] : [{ path: "lowest", message: "must be a number, or empty" }]),
        ])
      }
      changeAll={async (some) => {
        const results = await changeVehicles(some, { changes: { price: wanted } });
        return new Map(
          [...results].map(([row, result]) => [
            row,
            result.status === "done" ? { ...result, note: fromTo(row) } : result,
          ]),
        );
      }}
      undoAll={undoAll}
    >
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
        required
        autoFocus
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
      {sold > 0 && (
        <CheckboxField
          path="sold"
          label={`Change ${formatCount(sold, "sold vehicle")} too`}
          value={includesSold}
          onChange={setIncludesSold}
        />
      )}
      <Totals before={changing.map((row) => row.price)} after={changing.map(newPriceOf)} />
    </BulkChange>
  );
};
