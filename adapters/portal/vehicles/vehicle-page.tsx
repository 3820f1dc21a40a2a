import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useLocation } from "wouter";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { useRecord } from "../api/queries.ts";
import { AuditTrail } from "../audit/audit-trail.tsx";
import { VehicleChannels } from "../channels/vehicle-channels.tsx";
import { useDealerName } from "../choices/dealer-choice.tsx";
import { useFieldToEdit } from "../forms/field-to-edit.ts";
import { useIsNarrow } from "../page/narrow.ts";
import { Page } from "../page/page.tsx";
import { QueryResult, RowsSkeleton } from "../page/query-result.tsx";
import { RecordPage, TwoColumns } from "../page/record-page.tsx";
import { Section } from "../page/section.tsx";
import { useMay } from "../session/session.tsx";
import { Corrections } from "./corrections.tsx";
import { daysOnLot } from "./days-on-lot.ts";
import { DeleteVehicle } from "./delete-vehicle.tsx";
import { EditVehicle } from "./edit-vehicle.tsx";
import { VehicleFacts, VehicleTexts } from "./vehicle-facts.tsx";
import { VehicleGlance } from "./vehicle-glance.tsx";
import { VehicleHistorySections } from "./vehicle-history.tsx";
import { VehicleSale } from "./vehicle-sale.tsx";
import { VehicleState } from "./vehicle-state.tsx";
import { titleOf } from "./vehicle-words.ts";

// Loaded later because no other page needs it.
const VehiclePhotos = lazy(() => import("../photos/vehicle-photos.tsx"));
const AdviceSection = lazy(() =>
  import("../advice/advice-section.tsx").then((room) => ({ default: room.AdviceSection })),
);
const ScheduledSection = lazy(() =>
  import("../scheduled-changes/scheduled-section.tsx").then((room) => ({ default: room.ScheduledSection })),
);
const ScheduleDialog = lazy(() =>
  import("../scheduled-changes/schedule-dialog.tsx").then((room) => ({ default: room.ScheduleDialog })),
);

/** A vehicle that has stood for more days wants another price. */
const ADVICE_DAYS = 45;

const VEHICLES = ["Vehicles", "/vehicles"] as const;

/** What identifies a vehicle, apart from its title. */
const lineOf = ({ stock_number, vin, featured }: Vehicle): string =>
  [
    stock_number === null ? "No stock number" : `Stock ${stock_number}`,
    vin !== null && `VIN ${vin}`,
    featured === 1 && "featured",
  ]
    .filter((part) => part !== false)
    .join(" · ");

const VehicleView = ({ record }: { record: Vehicle }) => {
  const may = useMay();
  const isNarrow = useIsNarrow();
  const dealer = useDealerName(record.dealer_id);
  const [, go] = useLocation();
  const [openDialog, setOpenDialog] = useState<"edit" | "delete" | "schedule" | null>(null);
  const [field, forgetField] = useFieldToEdit();
  const isFormField = field !== null && field !== "images";
  const isStanding = record.status !== "sold" && (daysOnLot(record) ?? 0) > ADVICE_DAYS;
  const close = () => {
    setOpenDialog(null);
    forgetField();
  };
  return (
    <RecordPage
      title={titleOf(record)}
      breadcrumbs={may("dealers:read") ? [VEHICLES, [dealer, `/dealers/${record.dealer_id}`]] : [VEHICLES]}
      state={!isNarrow && <VehicleState vehicle={record} />}
      subtitle={lineOf(record)}
      actions={
        <>
          {isNarrow && <VehicleGlance vehicle={record} />}
          {may("vehicles:write") && <Button onClick={() => setOpenDialog("edit")}>Edit</Button>}
        </>
      }
      menu={[
        may("vehicles:write") && { label: "Schedule a change", onClick: () => setOpenDialog("schedule") },
        may("vehicles:delete") && { label: "Delete…", onClick: () => setOpenDialog("delete") },
      ]}
    >
      <TwoColumns
        aside={
          <>
            <VehicleFacts vehicle={record} isGlanced={isNarrow} />
            {may("vehicles:write") && (
              <Suspense fallback={null}>
                <ScheduledSection vehicleId={record.id} />
              </Suspense>
            )}
            {may("vehicles:write") && <Corrections vehicle={record} />}
            {record.status === "sold" && may("vehicles:write") && <VehicleSale vehicle={record} />}
          </>
        }
      >
        <Suspense
          fallback={
            <Section title="Images">
              <RowsSkeleton lines={2} />
            </Section>
          }
        >
          <VehiclePhotos
            vehicleId={record.id}
            title={titleOf(record)}
            onFocused={field === "images" ? forgetField : null}
          />
        </Suspense>
        {isStanding && may("vehicles:write") && (
          <Suspense
            fallback={
              <Section title="What would sell it">
                <RowsSkeleton lines={3} />
              </Section>
            }
          >
            <AdviceSection vehicle={record} name={titleOf(record)} />
          </Suspense>
        )}
        <VehicleChannels vehicle={record} />
        <VehicleHistorySections vehicle={record} />
      </TwoColumns>
      <VehicleTexts vehicle={record} />
      {may("audit:read") && <AuditTrail resource="vehicles" id={record.id} />}
      {(openDialog === "edit" || isFormField) && may("vehicles:write") && (
        <EditVehicle record={record} onClose={close} {...(isFormField && { focus: field })} />
      )}
      {openDialog === "schedule" && (
        <Suspense fallback={null}>
          <ScheduleDialog vehicle={record} name={titleOf(record)} onClose={close} />
        </Suspense>
      )}
      {openDialog === "delete" && (
        <DeleteVehicle record={record} onClose={close} onDone={() => go(`/dealers/${record.dealer_id}`)} />
      )}
    </RecordPage>
  );
};

/** The page of one vehicle: its images, its facts, its history last. */
export const VehiclePage = ({ id }: { id: string }) => {
  const vehicle = useRecord<Vehicle>(`/vehicles/${id}`);
  if (vehicle.data !== undefined) return <VehicleView record={vehicle.data} />;
  return (
    <Page title="Vehicle" breadcrumbs={[VEHICLES]}>
      <QueryResult query={vehicle}>{() => null}</QueryResult>
    </Page>
  );
};
