import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { numberOrText } from "../forms/draft.ts";
import { ChoiceField, TextField } from "../forms/fields.tsx";
import { refuse } from "../forms/refuse.ts";
import type { Asked } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { useAmounts } from "../settings/amounts.tsx";
import { counted } from "../shell/figures.tsx";
import { AT_ONCE, changeBack, changeTogether, useDryRun } from "./bulk-request.ts";
import { type PriceChange, priceAfter } from "./price-after.ts";
import { namedApart } from "./vehicle-words.ts";

const PAUSE_MS = 300;

/** The ways to change a price: their words, and what a number means in them. */
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

/** Lowers or raises the prices of the ticked vehicles; undone, each is set back that nobody changed meanwhile. */
export const ChangePrice = (asked: Asked<Vehicle>) => {
  const { price } = useAmounts();
  const [adjustment, setAdjustment] = useState<Adjustment>("lower-percent");
  const [typed, setTyped] = useState("");
  const by = numberOrText(typed);
  const isFit = typeof by === "number" && by > 0;
  const wanted = isFit ? changeOf(adjustment, by) : null;
  const [paused] = useDebouncedValue(wanted === null ? null : JSON.stringify(wanted), PAUSE_MS);
  const wouldStay = useDryRun(asked.rows, paused === null ? null : { changes: { price: JSON.parse(paused) } });
  const after = (row: Vehicle): number => (wanted === null ? row.price : priceAfter(row.price, wanted));
  return (
    <BulkChange
      {...asked}
      title={(count) => `Change the price of ${counted(count, "vehicle")}?`}
      confirm="Change the price"
      outcome={(count) => `The price of ${counted(count, "vehicle")} changed`}
      isChanged={typed !== ""}
      keyOf={({ id }) => id}
      nameOf={namedApart}
      exempt={wouldStay}
      about={(row) => (wanted === null ? price(row.price) : `from ${price(row.price)} to ${price(after(row))}`)}
      check={() =>
        refuse(isFit ? [] : [{ path: "by", message: by === null ? "is required" : "must be a number above 0" }])
      }
      changeAll={async (rows) => {
        const results = await changeTogether(rows, { changes: { price: wanted } });
        return new Map(
          [...results].map(([row, result]) => [
            row,
            result.fate === "done" ? { ...result, said: `from ${price(row.price)} to ${price(after(row))}` } : result,
          ]),
        );
      }}
      atOnce={AT_ONCE}
      undo={async (row) => {
        await changeBack(row, (now) => now.price === after(row), { price: row.price });
        return `${price(row.price)} again`;
      }}
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
