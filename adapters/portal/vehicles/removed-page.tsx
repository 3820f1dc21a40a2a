import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { RemovedVehicle } from "../../../core/removed/removed-vehicle.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { useSearched } from "../api/queries.ts";
import { DEALER_FILTER, DealerName } from "../dealers/dealer-choice.tsx";
import { ConfirmDialog } from "../forms/dialog.tsx";
import type { Asked, BulkAction } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { useListState } from "../lists/list-state.ts";
import { Empty } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoFacts } from "../lists/two-facts.tsx";
import { Ago, DayAndAgo } from "../moments/moment.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { Price } from "../settings/amounts.tsx";
import { sayDone, sayWhyNot } from "../shell/done.ts";
import { counted } from "../shell/figures.tsx";
import { RecordMenu } from "../shell/record-menu.tsx";
import { restoreVehicle } from "./restore-vehicle.ts";
import { isSearchable, marksOf, namedApart, titleOf } from "./vehicle-words.ts";

const VEHICLE: Column<RemovedVehicle> = {
  head: "Vehicle",
  cell: (vehicle) => <TwoFacts first={<strong>{titleOf(vehicle)}</strong>} second={marksOf(vehicle)} />,
};
const DEALER: Column<RemovedVehicle> = { head: "Dealer", cell: ({ dealer_id }) => <DealerName id={dealer_id} /> };
const FACTS: readonly Column<RemovedVehicle>[] = [
  { head: "Price", numeric: true, cell: ({ price }) => <Price of={price} /> },
  {
    head: "Removed",
    cell: ({ removed_at, removed_by }) => (
      <TwoFacts isShort first={<Ago at={removed_at} />} second={`by ${removed_by.name}`} />
    ),
  },
  { head: "Kept until", cell: ({ restorable_until }) => <DayAndAgo at={restorable_until} /> },
];

const pathOf = ({ id }: Pick<Vehicle, "id">): string => `/vehicles/removed/${id}`;

const RestoreVehicles = (asked: Asked<RemovedVehicle>) => (
  <BulkChange
    {...asked}
    title={(count) => `Restore ${counted(count, "vehicle")}?`}
    confirm="Restore"
    outcome={(count) => `${counted(count, "vehicle")} restored`}
    keyOf={({ id }) => id}
    nameOf={namedApart}
    about={({ status }) => status}
    change={async (row) => {
      await restoreVehicle(row);
      return "";
    }}
  />
);
const BULK: readonly BulkAction<RemovedVehicle>[] = [
  { label: "Restore…", dialog: (asked) => <RestoreVehicles {...asked} /> },
];

const RemovedMenu = ({ record }: { record: RemovedVehicle }) => {
  const [isAsking, setAsking] = useState(false);
  const restoring = useMutation({
    mutationFn: () => restoreVehicle(record),
    onSuccess: () => sayDone(`${titleOf(record)} is restored.`),
    onError: (error) => sayWhyNot(error, "It could not be restored. Try again."),
  });
  return (
    <>
      <RecordMenu
        name={namedApart(record)}
        items={[
          { label: "Restore", onClick: () => restoring.mutate() },
          { label: "Remove for good", onClick: () => setAsking(true) },
        ]}
      />
      {isAsking && (
        <ConfirmDialog
          title={`Remove ${titleOf(record)} for good?`}
          confirm="Remove for good"
          danger
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await change("DELETE", pathOf(record));
            sayDone(`${titleOf(record)} is removed for good.`);
          }}
        >
          <Text size="sm">The vehicle, its images and its history are deleted now. This cannot be undone.</Text>
        </ConfirmDialog>
      )}
    </>
  );
};

/** Removed vehicles, which can be taken back for a while. */
export const RemovedPage = () => {
  const list = useListState();
  const isBound = bindingOf(useSession().user) !== null;
  const removed = useSearched<RemovedVehicle>(
    "/vehicles/removed",
    { dealer_id: list.filter("dealer_id"), q: list.filter("q"), ...list.window },
    { isSearchable },
  );
  const total = removed.data?.total;
  return (
    <ListPage
      title="Removed vehicles"
      trail={[["Vehicles", "/vehicles"]]}
      noun="removed vehicles"
      line={total !== undefined && `${counted(total, "vehicle")}, last removed first`}
      list={list}
      query={removed}
      search="Make, model, stock number or VIN"
      filters={isBound ? [] : [DEALER_FILTER]}
      columns={isBound ? [VEHICLE, ...FACTS] : [VEHICLE, DEALER, ...FACTS]}
      keyOf={({ id }) => id}
      nameOf={namedApart}
      menu={(vehicle) => <RemovedMenu record={vehicle} />}
      bulk={BULK}
      empty={
        list.isFiltered ? (
          <Empty title="No vehicle matches">Search for something else, or clear the filters.</Empty>
        ) : (
          <Empty title="Nothing was removed">What is removed can be restored here for 30 days.</Empty>
        )
      }
    />
  );
};
