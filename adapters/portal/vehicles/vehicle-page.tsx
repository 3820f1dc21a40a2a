import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { useRecord } from "../api/queries.ts";
import { AuditTrail } from "../audit/audit-trail.tsx";
import { useDealerName } from "../dealers/dealer-choice.tsx";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { Answered } from "../lists/answered.tsx";
import { useMay } from "../session/session.tsx";
import { sayDone } from "../shell/done.ts";
import { Page } from "../shell/page.tsx";
import { Columns, RecordPage } from "../shell/record-page.tsx";
import { EditVehicle } from "./edit-vehicle.tsx";
import { VehicleFacts, VehicleTexts } from "./vehicle-facts.tsx";
import { VehicleImages } from "./vehicle-images.tsx";
import { VehicleState } from "./vehicle-state.tsx";
import { titleOf } from "./vehicle-words.ts";

const DEALERS = ["Dealers", "/dealers"] as const;

/** What identifies a vehicle besides its name. */
const lineOf = ({ stock_number, vin, featured }: Vehicle): string =>
  [
    stock_number === null ? "No stock number" : `Stock ${stock_number}`,
    vin !== null && `VIN ${vin}`,
    featured === 1 && "featured",
  ]
    .filter((part) => part !== false)
    .join(" · ");

interface DialogProps {
  readonly record: Vehicle;
  readonly onClose: () => void;
}

const DeleteVehicle = ({ record, onClose }: DialogProps) => {
  const [, go] = useLocation();
  return (
    <ConfirmDialog
      title={`Delete ${titleOf(record)}?`}
      confirm="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await change("DELETE", `/vehicles/${record.id}`);
        sayDone(`${titleOf(record)} is deleted.`);
        go(`/dealers/${record.dealer_id}`);
      }}
    >
      <Text size="sm">The vehicle and its images are deleted. This cannot be undone.</Text>
    </ConfirmDialog>
  );
};

const DIALOGS = { edit: EditVehicle, delete: DeleteVehicle };

const VehicleView = ({ record }: { record: Vehicle }) => {
  const may = useMay();
  const dealer = useDealerName(record.dealer_id);
  const [doing, setDoing] = useState<keyof typeof DIALOGS | null>(null);
  const Asking = doing === null ? null : DIALOGS[doing];
  return (
    <RecordPage
      title={titleOf(record)}
      {...(may("dealers:read") && { trail: [DEALERS, [dealer, `/dealers/${record.dealer_id}`]] })}
      state={<VehicleState vehicle={record} />}
      line={lineOf(record)}
      actions={may("vehicles:write") && <Button onClick={() => setDoing("edit")}>Edit</Button>}
      menu={[may("vehicles:delete") && { label: "Delete", onClick: () => setDoing("delete") }]}
    >
      <Columns aside={<VehicleFacts vehicle={record} />}>
        <VehicleImages vehicleId={record.id} title={titleOf(record)} />
      </Columns>
      <VehicleTexts vehicle={record} />
      {may("audit:read") && <AuditTrail resource="vehicles" id={record.id} />}
      {Asking !== null && <Asking record={record} onClose={() => setDoing(null)} />}
    </RecordPage>
  );
};

/** Everything about one vehicle: its images, facts beside them, its history last. */
export const VehiclePage = ({ id }: { id: string }) => {
  const vehicle = useRecord<Vehicle>(`/vehicles/${id}`);
  if (vehicle.data !== undefined) return <VehicleView record={vehicle.data} />;
  return (
    <Page title="Vehicle" trail={[DEALERS]}>
      <Answered query={vehicle}>{() => null}</Answered>
    </Page>
  );
};
