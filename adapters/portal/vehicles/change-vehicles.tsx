import { Text } from "@mantine/core";
import { type ComponentProps, useState } from "react";
import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";
import { ChoiceField } from "../forms/fields.tsx";
import type { BulkAction, BulkDialogProps } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { useMay } from "../session/session.tsx";
import { formatCount } from "../shell/figures.tsx";
import { changeVehicles, UNDO_CONCURRENCY, undoVehicleChange, useDryRun } from "./bulk-request.ts";
import { ChangePrice } from "./change-price.tsx";
import { restoreVehicle } from "./restore-vehicle.ts";
import { STATUS_CHOICES, titleWithStockNumber } from "./vehicle-words.ts";

type Changes = { readonly status: Status } | { readonly featured: boolean };

/** Fields that a change of the status changes too, and fields that only lists add. */
const FIELDS_CHANGED_ALONG: readonly string[] = ["updated_at", "stage", "sold_at"];

/** True if the vehicle is still as the change left it. */
const isAsChanged = (row: Vehicle, now: Vehicle, to: Changes): boolean => {
  const expected: Readonly<Record<string, unknown>> = {
    ...row,
    ...("featured" in to ? { featured: to.featured ? 1 : 0 } : to),
  };
  return Object.entries(now).every(
    ([field, value]) => FIELDS_CHANGED_ALONG.includes(field) || expected[field] === value,
  );
};

/** The request body that undoes the change of a vehicle. */
const undoOf = (row: Vehicle, to: Changes) =>
  "status" in to
    ? { status: row.status, stage: row.stage, ...(row.status === "sold" && { sold_at: row.sold_at }) }
    : { featured: row.featured === 1 };

interface ChangeProps
  extends Omit<ComponentProps<typeof BulkChange<Vehicle>>, "changeAll" | "undo" | "keyOf" | "nameOf" | "danger"> {
  /** The new values for each vehicle. */
  readonly changes: Changes;
}

/** Changes the selected vehicles with one request. Undo restores those that nobody changed since. */
const ChangeVehicles = ({ changes, skipReason, ...question }: ChangeProps) => {
  const skipReasonOf = useDryRun(question.rows, { changes: changes });
  return (
    <BulkChange
      {...question}
      keyOf={({ id }) => id}
      nameOf={titleWithStockNumber}
      skipReason={(row) => skipReason?.(row) || skipReasonOf(row)}
      changeAll={(rows) => changeVehicles(rows, { changes: changes })}
      concurrency={UNDO_CONCURRENCY}
      undoRow={async (row) => {
        await undoVehicleChange(row, (now) => isAsChanged(row, now, changes), undoOf(row, changes));
        return "As it was";
      }}
    />
  );
};

/** Sets the status of the selected vehicles. */
const SetStatus = (dialogProps: BulkDialogProps<Vehicle>) => {
  const [status, setStatus] = useState<Status>("sold");
  return (
    <ChangeVehicles
      {...dialogProps}
      title={(count) => `Set the status of ${formatCount(count, "vehicle")}?`}
      confirm="Set the status"
      resultTitle={(count) => `${formatCount(count, "vehicle")} ${status}`}
      changes={{ status }}
      skipReason={(row) => row.status === status && `${status} already`}
      detail={(row) => `${row.status}, will be ${status}`}
    >
      <ChoiceField path="status" label="New status" value={status} onChange={setStatus} options={STATUS_CHOICES} />
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

/** Removes the selected vehicles with one request. Undo restores them. */
const RemoveVehicles = (dialogProps: BulkDialogProps<Vehicle>) => (
  <BulkChange
    {...dialogProps}
    title={(count) => `Remove ${formatCount(count, "vehicle")}?`}
    confirm="Remove"
    resultTitle={(count) => `${formatCount(count, "vehicle")} removed`}
    danger
    keyOf={({ id }) => id}
    nameOf={titleWithStockNumber}
    detail={({ status }) => status}
    changeAll={(rows) => changeVehicles(rows, { remove: true })}
    concurrency={UNDO_CONCURRENCY}
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

const CHANGES: readonly BulkAction<Vehicle>[] = [
  { label: "Price…", dialog: (dialogProps) => <ChangePrice {...dialogProps} /> },
  { label: "Status…", dialog: (dialogProps) => <SetStatus {...dialogProps} /> },
  { label: "Feature…", dialog: (dialogProps) => <FeatureVehicles {...dialogProps} featured /> },
  { label: "Unfeature…", dialog: (dialogProps) => <FeatureVehicles {...dialogProps} featured={false} /> },
];
const REMOVAL: BulkAction<Vehicle> = { label: "Remove…", dialog: (dialogProps) => <RemoveVehicles {...dialogProps} /> };

/** What the signed-in user can do with several vehicles at once. */
export const useVehicleChanges = (): readonly BulkAction<Vehicle>[] => {
  const may = useMay();
  return [...(may("vehicles:write") ? CHANGES : []), ...(may("vehicles:delete") ? [REMOVAL] : [])];
};
