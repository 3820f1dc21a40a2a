import { Button, Text, TextInput } from "@mantine/core";
import { type ComponentProps, useState } from "react";
import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";
import { numberOrText, numberText } from "../forms/draft.ts";
import { ChoiceField } from "../forms/fields.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import type { BulkAction, BulkDialogProps } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { formatCount } from "../page/figures.tsx";
import { useMay } from "../session/session.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { useDryRun, useUndoableChanges } from "./bulk-request.ts";
import { ChangePrice } from "./change-price.tsx";
import { restoreVehicle } from "./restore-vehicle.ts";
import { ScheduleVehicles } from "./schedule-vehicles.tsx";
import { SetField } from "./set-field.tsx";
import { STATUS_CHOICES, titleWithStockNumber } from "./vehicle-words.ts";

type Changes = { readonly status: Status } | { readonly featured: boolean };

interface ChangeProps
  extends Omit<ComponentProps<typeof BulkChange<Vehicle>>, "changeAll" | "undo" | "keyOf" | "nameOf" | "danger"> {
  /** The new values for each vehicle. */
  readonly changes: Changes;
  /** What each vehicle was sold for, `null` if nobody entered it; only with the status `sold`. */
  readonly soldFor?: (row: Vehicle) => number | null;
}

/** Changes the selected vehicles with one request. Undo restores those that nobody changed since. */
const ChangeVehicles = ({ changes, soldFor, skipReason, ...question }: ChangeProps) => {
  const { changeVehicles, sellVehicles, undoAll } = useUndoableChanges();
  const skipReasonOf = useDryRun(question.rows, { changes: changes });
  return (
    <BulkChange
      {...question}
      keyOf={({ id }) => id}
      nameOf={titleWithStockNumber}
      skipReason={(row) => skipReason?.(row) || skipReasonOf(row)}
      changeAll={(rows) => (soldFor === undefined ? changeVehicles(rows, { changes }) : sellVehicles(rows, soldFor))}
      undoAll={undoAll}
    />
  );
};

/** What was typed for each vehicle that becomes sold. */
const useSoldPrices = (rows: readonly Vehicle[]) => {
  const { price } = useAmountFormats();
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({});
  const enteredFor = ({ id }: Vehicle): number | string | null => numberOrText(typed[id] ?? "");
  return {
    isChanged: Object.values(typed).some((text) => text !== ""),
    fillIn: () => setTyped(Object.fromEntries(rows.map((row) => [row.id, numberText(row.price)]))),
    soldFor: (row: Vehicle): number | null => {
      const entered = enteredFor(row);
      return typeof entered === "number" ? entered : null;
    },
    validate: () =>
      throwIfIssues(
        rows
          .filter((row) => typeof enteredFor(row) === "string")
          .map((row) => ({ path: "", message: `What ${titleWithStockNumber(row)} was sold for must be a number.` })),
      ),
    field: (row: Vehicle) => (
      <TextInput
        className="sold-price"
        size="xs"
        aria-label={`Sold for: ${titleWithStockNumber(row)}`}
        placeholder={`List price ${price(row.price)}`}
        inputMode="decimal"
        autoComplete="off"
        value={typed[row.id] ?? ""}
        error={typeof enteredFor(row) === "string"}
        onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, [row.id]: value }))}
      />
    ),
  };
};

/** Sets the status of the selected vehicles. For those that become sold it asks for the prices, all in one table. */
const SetStatus = (dialogProps: BulkDialogProps<Vehicle>) => {
  const [status, setStatus] = useState<Status>("sold");
  const prices = useSoldPrices(dialogProps.rows);
  const selling = status === "sold" && {
    soldFor: prices.soldFor,
    validate: prices.validate,
    isChanged: prices.isChanged,
  };
  return (
    <ChangeVehicles
      {...dialogProps}
      title={(count) => `Set the status of ${formatCount(count, "vehicle")}?`}
      confirm="Set the status"
      resultTitle={(count) => `${formatCount(count, "vehicle")} ${status}`}
      changes={{ status }}
      skipReason={(row) => row.status === status && `${status} already`}
      detail={(row) => (status === "sold" ? prices.field(row) : `${row.status}, will be ${status}`)}
      {...selling}
    >
      <ChoiceField path="status" label="New status" value={status} onChange={setStatus} options={STATUS_CHOICES} />
      {status === "sold" && (
        <div>
          <Text size="sm">What each was sold for. An empty price can be entered later and counts in no report.</Text>
          <Button variant="default" size="compact-sm" mt="xs" onClick={prices.fillIn}>
            Fill in the list prices
          </Button>
        </div>
      )}
    </ChangeVehicles>
  );
};

interface FeatureProps extends BulkDialogProps<Vehicle> {
  readonly featured: boolean;
}

/** Features the selected vehicles, or stops featuring them. */
const FeatureVehicles = ({ featured, ...dialogProps }: FeatureProps) => {
  const [verb, state] = featured ? ["Feature", "featured"] : ["Stop featuring", "no longer featured"];
  return (
    <ChangeVehicles
      {...dialogProps}
      title={(count) => `${verb} ${formatCount(count, "vehicle")}?`}
      confirm={verb}
      resultTitle={(count) => `${formatCount(count, "vehicle")} ${state}`}
      changes={{ featured }}
      skipReason={(row) => (row.featured === 1) === featured && (featured ? "featured already" : "not featured")}
      detail={() => `will be ${state}`}
    />
  );
};

/** How many vehicles are restored at the same time. */
const RESTORE_CONCURRENCY = 8;

/** Deletes the selected vehicles with one request. Undo restores them. */
const DeleteVehicles = (dialogProps: BulkDialogProps<Vehicle>) => {
  const { changeVehicles } = useUndoableChanges();
  return (
    <BulkChange
      {...dialogProps}
      title={(count) => `Delete ${formatCount(count, "vehicle")}?`}
      confirm="Delete"
      resultTitle={(count) => `${formatCount(count, "vehicle")} deleted`}
      danger
      keyOf={({ id }) => id}
      nameOf={titleWithStockNumber}
      detail={({ status }) => status}
      changeAll={(rows) => changeVehicles(rows, { remove: true })}
      concurrency={RESTORE_CONCURRENCY}
      undoRow={async (row) => {
        await restoreVehicle(row);
        return "There again";
      }}
    >
      <Text size="sm">
        The vehicles and their images are no longer there for anybody. They can be restored for 30 days.
      </Text>
    </BulkChange>
  );
};

const CHANGES: readonly BulkAction<Vehicle>[] = [
  { label: "Price…", dialog: (dialogProps) => <ChangePrice {...dialogProps} /> },
  { label: "Status…", dialog: (dialogProps) => <SetStatus {...dialogProps} /> },
  { label: "Set…", dialog: (dialogProps) => <SetField {...dialogProps} /> },
  { label: "Schedule…", dialog: (dialogProps) => <ScheduleVehicles {...dialogProps} /> },
  { label: "Feature…", dialog: (dialogProps) => <FeatureVehicles {...dialogProps} featured /> },
  { label: "Unfeature…", dialog: (dialogProps) => <FeatureVehicles {...dialogProps} featured={false} /> },
];
const DELETION: BulkAction<Vehicle> = {
  label: "Delete…",
  dialog: (dialogProps) => <DeleteVehicles {...dialogProps} />,
};

/** What the signed-in user can do with several vehicles at once. */
export const useVehicleChanges = (): readonly BulkAction<Vehicle>[] => {
  const may = useMay();
  return [...(may("vehicles:write") ? CHANGES : []), ...(may("vehicles:delete") ? [DELETION] : [])];
};
