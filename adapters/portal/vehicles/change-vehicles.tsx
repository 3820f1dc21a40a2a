import { Text } from "@mantine/core";
import { type ComponentProps, useRef, useState } from "react";
import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";
import { ApiError, put, read, remove, versionOf } from "../api/client.ts";
import { ChoiceField } from "../forms/fields.tsx";
import type { Asked, BulkAction } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { useMay } from "../session/session.tsx";
import { counted } from "../shell/figures.tsx";
import { namedApart, STATUS_CHOICES } from "./vehicle-words.ts";

const pathOf = ({ id }: Vehicle): string => `/vehicles/${id}`;

/** What is said of a vehicle that is not as it was in the list. */
const NOT_AS_LISTED: Readonly<Record<number, string>> = {
  404: "It is no longer there.",
  412: "Somebody changed it meanwhile. Look at it, then tick it again.",
};

const notAsListed = (status: number): ApiError =>
  new ApiError({ status, code: "not_as_listed", sentence: NOT_AS_LISTED[status] ?? "" });

/** Says plainly that a vehicle is gone or was changed; other refusals stay as they are. */
const plainly = async <Answer,>(work: Promise<Answer>): Promise<Answer> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ApiError && error.status in NOT_AS_LISTED ? notAsListed(error.status) : error;
  }
};

/** The version of a vehicle that still is as it was in the list. */
const versionAsListed = async (row: Vehicle): Promise<string | undefined> => {
  const now = await read<Vehicle>(pathOf(row));
  if (now.updated_at !== row.updated_at) throw notAsListed(412);
  return versionOf(now);
};

type Changes = { readonly status: Status } | { readonly featured: boolean };

interface ChangeProps
  extends Omit<ComponentProps<typeof BulkChange<Vehicle>>, "change" | "undo" | "keyOf" | "nameOf" | "danger"> {
  /** What each vehicle gets, and what it had. */
  readonly to: Changes;
  readonly before: (row: Vehicle) => Changes;
}

/** Changes ticked vehicles, each only if nobody changed it since, and takes it back under the same condition. */
const ChangeVehicles = ({ to, before, ...question }: ChangeProps) => {
  const changed = useRef(new Map<number, Vehicle>());
  const change = async (row: Vehicle): Promise<string> => {
    changed.current.set(row.id, await put<Vehicle>(pathOf(row), to, await versionAsListed(row)));
    return "";
  };
  const undo = async (row: Vehicle): Promise<string> => {
    await put(pathOf(row), before(row), versionOf(changed.current.get(row.id) ?? row));
    return "As it was";
  };
  return (
    <BulkChange
      {...question}
      keyOf={({ id }) => id}
      nameOf={namedApart}
      change={(row) => plainly(change(row))}
      undo={(row) => plainly(undo(row))}
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
      before={(row) => ({ status: row.status })}
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
      before={(row) => ({ featured: row.featured === 1 })}
      exempt={(row) => (row.featured === 1) === featured && (featured ? "featured already" : "not featured")}
      about={() => `will be ${state}`}
    />
  );
};

/** Removes the ticked vehicles, each only if nobody changed it since. */
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
    change={async (row) => {
      await plainly(versionAsListed(row).then((version) => remove(pathOf(row), version)));
      return "";
    }}
  >
    <Text size="sm">The vehicles and their images are deleted. This cannot be undone.</Text>
  </BulkChange>
);

const CHANGES: readonly BulkAction<Vehicle>[] = [
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
