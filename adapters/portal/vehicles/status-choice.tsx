import { NativeSelect } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { useMay } from "../session/session.tsx";
import { notify } from "../shell/notify.ts";
import { STATUS_CHOICES, titleOf } from "./vehicle-words.ts";

/** The status of a vehicle as a choice; choosing another changes the vehicle at once. */
export const StatusChoice = ({ vehicle }: { vehicle: Vehicle }) => {
  const may = useMay();
  const setting = useMutation({
    mutationFn: (status: string) => change("PUT", `/vehicles/${vehicle.id}`, { status }),
    onSuccess: (_, status) => notify(`${titleOf(vehicle)} is ${status}.`),
  });
  if (!may("vehicles:write")) return vehicle.status;
  return (
    <NativeSelect
      className="status-choice"
      size="xs"
      aria-label={`Status of ${titleOf(vehicle)}`}
      value={setting.isPending ? setting.variables : vehicle.status}
      error={setting.error?.message}
      onChange={(event) => setting.mutate(event.currentTarget.value)}
      data={STATUS_CHOICES.map(([value, label]) => ({ value, label }))}
    />
  );
};
