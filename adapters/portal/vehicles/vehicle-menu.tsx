import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { useRecordDialogs } from "../forms/record-dialogs.tsx";
import { RecordMenu } from "../page/record-menu.tsx";
import { useMay } from "../session/session.tsx";
import { DeleteVehicle } from "./delete-vehicle.tsx";
import { EditVehicle } from "./edit-vehicle.tsx";
import { titleWithStockNumber } from "./vehicle-words.ts";

const DIALOGS = { edit: EditVehicle, delete: DeleteVehicle };

/** The menu of a vehicle in a list. */
const VehicleMenu = ({ record }: { record: Vehicle }) => {
  const may = useMay();
  const { open, dialog } = useRecordDialogs(DIALOGS, record);
  return (
    <>
      <RecordMenu
        name={titleWithStockNumber(record)}
        items={[
          { label: "Open", to: `/vehicles/${record.id}` },
          may("vehicles:write") && { label: "Edit", onClick: () => open("edit") },
          may("vehicles:delete") && { label: "Delete…", onClick: () => open("delete") },
        ]}
      />
      {dialog}
    </>
  );
};

/** The menu of a row. The function never changes, so that rows do not render again because of it. */
export const menuOf = (vehicle: Vehicle) => <VehicleMenu record={vehicle} />;
