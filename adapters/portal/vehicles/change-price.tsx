import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { type PriceChange, priceAfter } from "../../../core/bulk/new-price.ts";
import { isUnusualChange } from "../../../core/vehicles/price-doubt.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { CheckboxField } from "../forms/fields.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import type { BulkDialogProps } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { formatCount } from "../page/figures.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { useDryRun, useUndoableChanges } from "./bulk-request.ts";
import { usePriceChange } from "./price-change.tsx";
import { titleWithStockNumber } from "./vehicle-words.ts";

const DEBOUNCE_MS = 300;

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
  const { wanted, isEmpty, issues, fields } = usePriceChange({ required: true });
  const [includesSold, setIncludesSold] = useState(false);
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
      isChanged={!isEmpty}
      keyOf={({ id }) => id}
      nameOf={titleWithStockNumber}
      skipReason={skipReasonOf}
      isLargeChange={(row) => wanted !== null && isUnusualChange(row.price, newPriceOf(row))}
      detail={(row) => (wanted === null ? price(row.price) : fromTo(row))}
      validate={() => throwIfIssues(issues)}
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
      {fields}
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
