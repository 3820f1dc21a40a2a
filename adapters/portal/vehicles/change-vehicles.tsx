import { Text } from "@mantine/core";
import { type ComponentProps, useState } from "react";
import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";
import { ChoiceField } from "../forms/fields.tsx";
import type { Asked, BulkAction } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { useMay } from "../session/session.tsx";
import { counted } from "../shell/figures.tsx";
import { AT_ONCE, changeBack, changeTogether, useDryRun } from "./bulk-request.ts";
import { ChangePrice } from "./change-price.tsx";
import { restoreVehicle } from "./restore-vehicle.ts";
import { namedApart, STATUS_CHOICES } from "./vehicle-words.ts";

type Changes = { readonly status: Status } | { readonly featured: boolean };

/** What follows from a change of the status, and what lists carry besides the vehicle. */
const CONSEQUENCES: readonly string[] = ["updated_at", "stage", "sold_at"];

/** True if a vehicle is what the change made of it. */
const isAsChanged = (row: Vehicle, now: Vehicle, to: Changes): boolean => {
  const made: Readonly<Record<string, unknown>> = {
    ...row,
    ...("featured" in to ? { featured: to.featured ? 1 : 0 } : to),
  };
  return Object.entries(now).every(([field, value]) => CONSEQUENCES.includes(field) || made[field] === value);
};

/** What takes the change of a vehicle back. */
const undoOf = (row: Vehicle, to: Changes) =>
  "status" in to
    ? { status: row.status, stage: row.stage, ...(row.status === "sold" && { sold_at: row.sold_at }) }
    : { featured: row.featured === 1 };

interface ChangeProps
  extends Omit<ComponentProps<typeof BulkChange<Vehicle>>, "changeAll" | "undo" | "keyOf" | "nameOf" | "danger"> {
  /** What each vehicle gets. */
  readonly to: Changes;
}

/** Changes ticked vehicles with one request; what nobody changed since can be taken back. */
const ChangeVehicles = ({ to, exempt, ...question }: ChangeProps) => {
  const wouldStay = useDryRun(question.rows, { changes: to });
  return (
    <BulkChange
      {...question}
      keyOf={({ id }) => id}
      nameOf={namedApart}
      exempt={(row) => exempt?.(row) || wouldStay(row)}
      changeAll={(rows) => changeTogether(rows, { changes: to })}
      atOnce={AT_ONCE}
      undo={async (row) => {
        await changeBack(row, (now) => isAsChanged(row, now, to), undoOf(row, to));
        return "As it was";
      }}
    />
  );
};

/** Sets the status of the ticked vehicles. */
const SetStatus = (asked: Asked<Vehicle>) => {
  const [status, setStatus] = useState<Status>("sold");
  return (
    <ChangeVehicles
      {...asked}
      title={(count) => `Set the status of ${counted(count, "vehicle")}?`}
      confirm="Set the status"
      outcome={(count) => `${counted(count, "vehicle")} ${status}`}
      to={{ status }}
      exempt={(row) => row.status === status && `${status} already`}
      about={(row) => `${row.status}, will be ${status}`}
    >
      <ChoiceField path="status" label="New status" value={status} onChange={setStatus} options={STATUS_CHOICES} />
    </ChangeVehicles>
  );
};

interface FeatureProps extends Asked<Vehicle> {
  readonly featured: boolean;
}

/** Features the ticked vehicles, or no longer. */
const FeatureVehicles = ({ featured, ...asked }: FeatureProps) => {
  const [verb, state] = featured ? ["Feature", "featured"] : ["Stop featuring", "no longer featured"];
  return (
    <ChangeVehicles
      {...asked}
      title={(count) => `${verb} ${counted(count, "vehicle")}?`}
      confirm={verb}
      outcome={(count) => `${counted(count, "vehicle")} ${state}`}
      to={{ featured }}
      exempt={(row) => (row.featured === 1) === featured && (featured ? "featured already" : "not featured")}
      about={() => `will be ${state}`}
    />
  );
};

/** Removes the ticked vehicles with one request; undone, they are there again. */
const RemoveVehicles = (asked: Asked<Vehicle>) => (
  <BulkChange
    {...asked}
    title={(count) => `Remove ${counted(count, "vehicle")}?`}
    confirm="Remove"
    outcome={(count) => `${counted(count, "vehicle")} removed`}
    danger
    keyOf={({ id }) => id}
    nameOf={namedApart}
    about={({ status }) => status}
    changeAll={(rows) => changeTogether(rows, { remove: true })}
    atOnce={AT_ONCE}
    undo={async (row) => {
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
  { label: "Price…", dialog: (asked) => <ChangePrice {...asked} /> },
  { label: "Status…", dialog: (asked) => <SetStatus {...asked} /> },
  { label: "Feature…", dialog: (asked) => <FeatureVehicles {...asked} featured /> },
  { label: "Unfeature…", dialog: (asked) => <FeatureVehicles {...asked} featured={false} /> },
];
const REMOVAL: BulkAction<Vehicle> = { label: "Remove…", dialog: (asked) => <RemoveVehicles {...asked} /> };

/** What the signed-in user can do with several vehicles at once. */
export const useVehicleChanges = (): readonly BulkAction<Vehicle>[] => {
  const may = useMay();
  return [...(may("vehicles:write") ? CHANGES : []), ...(may("vehicles:delete") ? [REMOVAL] : [])];
};
