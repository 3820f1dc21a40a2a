import { Button, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { useRecord } from "../api/queries.ts";
import { AuditTrail } from "../audit/audit-trail.tsx";
import { DealerLink } from "../dealers/dealer-choice.tsx";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { Answered } from "../lists/answered.tsx";
import { Moment } from "../moments/moment.tsx";
import { useMay } from "../session/session.tsx";
import { Mileage, Price } from "../settings/amounts.tsx";
import { sayDone } from "../shell/done.ts";
import { Facts } from "../shell/facts.tsx";
import { Page } from "../shell/page.tsx";
import { Section } from "../shell/section.tsx";
import { EditVehicle } from "./edit-vehicle.tsx";
import { StatusChoice } from "./status-choice.tsx";
import { LONG_FIELDS, labelOf, SHORT_FIELDS } from "./vehicle-draft.ts";
import { VehicleImages } from "./vehicle-images.tsx";
import { titleOf } from "./vehicle-words.ts";

/** Fields with a place, or words, of their own. */
const PLACED = ["status", "make", "model", "year", "price", "mileage", "title"];
const OTHERS = [...SHORT_FIELDS.filter((field) => !PLACED.includes(field)), ...LONG_FIELDS];

const factsOf = (vehicle: Vehicle): (readonly [string, ReactNode])[] => [
  ["Dealer", <DealerLink key="dealer" id={vehicle.dealer_id} />],
  ["Status", <StatusChoice key="status" vehicle={vehicle} />],
  ["Make", vehicle.make],
  ["Model", vehicle.model],
  ["Year", vehicle.year],
  ["Price", <Price key="price" of={vehicle.price} />],
  ["Mileage", <Mileage key="mileage" of={vehicle.mileage} />],
  ["Featured", vehicle.featured === 1 ? "Yes" : "No"],
  ...OTHERS.filter((field) => vehicle[field] !== null).map((field) => [labelOf(field), vehicle[field]] as const),
  ["Created", <Moment key="created" at={vehicle.created_at} />],
  ["Changed", <Moment key="changed" at={vehicle.updated_at} />],
];

const VehicleView = ({ record }: { record: Vehicle }) => {
  const may = useMay();
  const [, go] = useLocation();
  const [doing, setDoing] = useState<"edit" | "delete" | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title={titleOf(record)}
      actions={
        <>
          {may("vehicles:write") && (
            <Button variant="default" onClick={() => setDoing("edit")}>
              Edit
            </Button>
          )}
          {may("vehicles:delete") && (
            <Button color="red" variant="outline" onClick={() => setDoing("delete")}>
              Delete
            </Button>
          )}
        </>
      }
    >
      <VehicleImages vehicleId={record.id} title={titleOf(record)} />
      <Section title="Facts">
        <Facts facts={factsOf(record)} />
      </Section>
      {may("audit:read") && <AuditTrail resource="vehicles" id={record.id} />}
      {doing === "edit" && <EditVehicle record={record} onClose={close} />}
      {doing === "delete" && (
        <ConfirmDialog
          title={`Delete ${titleOf(record)}?`}
          confirm="Delete"
          danger
          onClose={close}
          onConfirm={async () => {
            await change("DELETE", `/vehicles/${record.id}`);
            sayDone(`${titleOf(record)} is deleted.`);
            go(`/dealers/${record.dealer_id}`);
          }}
        >
          <Text size="sm">The vehicle and its images are deleted. This cannot be undone.</Text>
        </ConfirmDialog>
      )}
    </Page>
  );
};

/** Everything about one vehicle. */
export const VehiclePage = ({ id }: { id: string }) => {
  const vehicle = useRecord<Vehicle>(`/vehicles/${id}`);
  if (vehicle.data !== undefined) return <VehicleView record={vehicle.data} />;
  return (
    <Page title="Vehicle">
      <Answered query={vehicle}>{() => null}</Answered>
    </Page>
  );
};
