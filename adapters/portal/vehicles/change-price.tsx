import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { numberOrText } from "../forms/draft.ts";
import { ChoiceField, TextField } from "../forms/fields.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import type { BulkDialogProps } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { formatCount } from "../page/figures.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { useDryRun, useUndoableChanges } from "./bulk-request.ts";
import { type PriceChange, priceAfter } from "./price-after.ts";
import { titleWithStockNumber } from "./vehicle-words.ts";

const DEBOUNCE_MS = 300;

/** The ways to change a price: the label, and what the typed number means. */
const ADJUSTMENTS = [
  ["lower-percent", "Lower by percent"],
  ["lower-amount", "Lower by an amount"],
  ["raise-percent", "Raise by percent"],
  ["raise-amount", "Raise by an amount"],
] as const;
type Adjustment = (typeof ADJUSTMENTS)[number][0];

const changeOf = (adjustment: Adjustment, by: number): PriceChange => {
  const signed = adjustment.startsWith("lower") ? -by : by;
  return adjustment.endsWith("percent") ? { percent: signed } : { add: signed };
};

/** Changes the prices of the selected vehicles. Undo restores each price that nobody changed since. */
export const ChangePrice = (dialogProps: BulkDialogProps<Vehicle>) => {
  const { price } = useAmountFormats();
  const { changeVehicles, undoAll } = useUndoableChanges((row) => `${price(row.price)} again`);
  const [adjustment, setAdjustment] = useState<Adjustment>("lower-percent");
  const [typed, setTyped] = useState("");
  const by = numberOrText(typed);
  const isValid = typeof by === "number" && by > 0;
  const wanted = isValid ? changeOf(adjustment, by) : null;
  const [debounced] = useDebouncedValue(wanted === null ? null : JSON.stringify(wanted), DEBOUNCE_MS);
  const skipReasonOf = useDryRun(
    dialogProps.rows,
    debounced === null ? null : { changes: { price: JSON.parse(debounced) } },
  );
  const newPriceOf = (row: Vehicle): number => (wanted === null ? row.price : priceAfter(row.price, wanted));
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
      detail={(row) => (wanted === null ? price(row.price) : `from ${price(row.price)} to ${price(newPriceOf(row))}`)}
      validate={() =>
        throwIfIssues(
          isValid ? [] : [{ path: "by", message: by === null ? "is required" : "must be a number above 0" }],
        )
      }
      changeAll={async (rows) => {
        const results = await changeVehicles(rows, { changes: { price: wanted } });
        return new Map(
          [...results].map(([row, result]) => [
            row,
            result.status === "done"
              ? { ...result, note: `from ${price(row.price)} to ${price(newPriceOf(row))}` }
              : result,
          ]),
        );
      }}
      undoAll={undoAll}
    >
      <ChoiceField path="adjustment" label="How" value={adjustment} onChange={setAdjustment} options={ADJUSTMENTS} />
      <TextField
        path="by"
        label={adjustment.endsWith("percent") ? "Percent" : "Amount"}
        value={typed}
        onChange={setTyped}
        inputMode="decimal"
        required
        autoFocus
      />
    </BulkChange>
  );
};
