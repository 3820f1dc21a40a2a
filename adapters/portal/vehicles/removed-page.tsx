import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { RemovedVehicle } from "../../../core/removed/removed-vehicle.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { useSearchedList } from "../api/queries.ts";
import { DEALER_FILTER, DealerName } from "../choices/dealer-choice.tsx";
import { ConfirmDialog } from "../forms/dialog.tsx";
import type { BulkAction, BulkDialogProps } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { useListState } from "../lists/list-state.ts";
import { EmptyState } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { formatCount } from "../page/figures.tsx";
import { notify, notifyFailure } from "../page/notify.tsx";
import { RecordMenu } from "../page/record-menu.tsx";
import { Picture } from "../photos/picture.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { Price } from "../settings/amounts.tsx";
import { DateAndRelativeTime, RelativeTime } from "../times/times.tsx";
import { restoreVehicle } from "./restore-vehicle.ts";
import { identifiersOf, isSearchable, titleOf, titleWithStockNumber } from "./vehicle-words.ts";

const VEHICLE: Column<RemovedVehicle> = {
  head: "Vehicle",
  cell: (vehicle) => (
    <div className="pictured">
      <Picture
        image={vehicle.picture === null ? undefined : { image_url: vehicle.picture }}
        alt=""
        className="row-picture"
      />
      <TwoLineCell first={<strong>{titleOf(vehicle)}</strong>} second={identifiersOf(vehicle)} />
    </div>
  ),
};
const DEALER: Column<RemovedVehicle> = {
  head: "Dealer",
  leaves: "first",
  cell: ({ dealer_id }) => <DealerName id={dealer_id} />,
};
const FACTS: readonly Column<RemovedVehicle>[] = [
  { head: "Price", numeric: true, cell: ({ price }) => <Price of={price} /> },
  {
    head: "Deleted",
    cell: ({ removed_at, removed_by }) => (
      <TwoLineCell noWrap first={<RelativeTime at={removed_at} />} second={`by ${removed_by.name}`} />
    ),
  },
  {
    head: "Kept until",
    leaves: "second",
    cell: ({ restorable_until }) => <DateAndRelativeTime at={restorable_until} />,
  },
];

const pathOf = ({ id }: Pick<Vehicle, "id">): string => `/vehicles/removed/${id}`;

const RestoreVehicles = (dialogProps: BulkDialogProps<RemovedVehicle>) => (
  <BulkChange
    {...dialogProps}
    title={(count) => `Restore ${formatCount(count, "vehicle")}?`}
    confirm="Restore"
    resultTitle={(count) => `${formatCount(count, "vehicle")} restored`}
    keyOf={({ id }) => id}
    nameOf={titleWithStockNumber}
    detail={({ status }) => status}
    changeRow={async (row) => {
      await restoreVehicle(row);
      return "";
    }}
  />
);
const BULK: readonly BulkAction<RemovedVehicle>[] = [
  { label: "Restore…", dialog: (dialogProps) => <RestoreVehicles {...dialogProps} /> },
];

const RemovedMenu = ({ record }: { record: RemovedVehicle }) => {
  const [isConfirming, setConfirming] = useState(false);
  const restoring = useMutation({
    mutationFn: () => restoreVehicle(record),
    onSuccess: () => notify(`${titleOf(record)} is restored.`),
    onError: (error) => notifyFailure(error, "It could not be restored. Try again."),
  });
  return (
    <>
      <RecordMenu
        name={titleWithStockNumber(record)}
        items={[
          { label: "Restore", onClick: () => restoring.mutate() },
          { label: "Delete for good", onClick: () => setConfirming(true) },
        ]}
      />
      {isConfirming && (
        <ConfirmDialog
          title={`Delete ${titleOf(record)} for good?`}
          confirm="Delete for good"
          danger
          onClose={() => setConfirming(false)}
          onConfirm={async () => {
            await change("DELETE", pathOf(record));
            notify(`${titleOf(record)} is deleted for good.`);
          }}
        >
          <Text size="sm">The vehicle, its images and its history are deleted now. This cannot be undone.</Text>
        </ConfirmDialog>
      )}
    </>
  );
};

/** Deleted vehicles, which can be restored for 30 days. */
export const RemovedPage = () => {
  const list = useListState();
  const isBound = bindingOf(useSession().user) !== null;
  const removed = useSearchedList<RemovedVehicle>(
    "/vehicles/removed",
    { dealer_id: list.filter("dealer_id"), q: list.filter("q"), ...list.range },
    { isSearchable },
  );
  const total = removed.data?.total;
  return (
    <ListPage
      title="Deleted vehicles"
      breadcrumbs={[["Vehicles", "/vehicles"]]}
      noun="deleted vehicles"
      subtitle={total !== undefined && `${formatCount(total, "vehicle")}, last deleted first`}
      list={list}
      query={removed}
      search="Make, model, stock number or VIN"
      filters={isBound ? [] : [DEALER_FILTER]}
      columns={isBound ? [VEHICLE, ...FACTS] : [VEHICLE, DEALER, ...FACTS]}
      keyOf={({ id }) => id}
      nameOf={titleWithStockNumber}
      menu={(vehicle) => <RemovedMenu record={vehicle} />}
      bulk={BULK}
      empty={
        list.isFiltered ? (
          <EmptyState title="No vehicle matches">Search for something else, or clear the filters.</EmptyState>
        ) : (
          <EmptyState title="Nothing was deleted">What is deleted can be restored here for 30 days.</EmptyState>
        )
      }
    />
  );
};
