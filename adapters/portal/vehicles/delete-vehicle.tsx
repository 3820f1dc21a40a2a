import { Text } from "@mantine/core";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { deleteRecord } from "../api/client.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { notify } from "../page/notify.tsx";
import { titleOf } from "./vehicle-words.ts";

interface DeleteVehicleProps {
  readonly record: Vehicle;
  readonly onClose: () => void;
  /** Called after the deletion; by default the dialog closes. */
  readonly onDone?: () => void;
}

/** Asks before a vehicle is deleted. */
export const DeleteVehicle = ({ record, ...callbacks }: DeleteVehicleProps) => (
  <ConfirmDialog
    {...callbacks}
    title={`Delete ${titleOf(record)}?`}
    confirm="Delete"
    danger
    onConfirm={async () => {
      await deleteRecord(`/vehicles/${record.id}`);
      notify(`${titleOf(record)} is deleted.`);
    }}
  >
    <Text size="sm">
      The vehicle is no longer there for anybody. With vehicles:delete it can be restored for 30 days, from Deleted
      vehicles.
    </Text>
  </ConfirmDialog>
);
