import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { type Listed, read } from "../api/client.ts";
import type { BulkAction } from "../lists/bulk.tsx";
import type { Filter } from "../lists/filters.tsx";
import { useListState } from "../lists/list-state.ts";
import { Listing } from "../lists/listing.tsx";
import { Empty } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoFacts } from "../lists/two-facts.tsx";
import { Ago, Day } from "../moments/moment.tsx";
import { useMay } from "../session/session.tsx";
import { Mileage, Price } from "../settings/amounts.tsx";
import { PageLink } from "../shell/link.tsx";
import { FeatureVehicles, RemoveVehicles, SetStatus } from "./change-vehicles.tsx";
import { RowPicture } from "./row-picture.tsx";
import { StatusChoice } from "./status-choice.tsx";
import { VehicleMenu } from "./vehicle-menu.tsx";
import { namedApart, STATUS_CHOICES, titleOf } from "./vehicle-words.ts";

const YES_NO = [
  ["true", "Featured"],
  ["false", "Not featured"],
] as const;

const COLUMNS: readonly Column<Vehicle>[] = [
  {
    head: "Vehicle",
    cell: (vehicle) => (
      <div className="pictured">
        <RowPicture vehicleId={vehicle.id} />
        <TwoFacts
          first={<PageLink to={`/vehicles/${vehicle.id}`}>{titleOf(vehicle)}</PageLink>}
          second={`${vehicle.stock_number ?? "No stock number"}${vehicle.featured === 1 ? " · featured" : ""}`}
        />
      </div>
    ),
  },
  { head: "Price", numeric: true, cell: ({ price }) => <Price of={price} /> },
  { head: "Mileage", numeric: true, cell: ({ mileage }) => <Mileage of={mileage} /> },
  { head: "Status", cell: (vehicle) => <StatusChoice vehicle={vehicle} /> },
  { head: "Added", extra: true, numeric: true, cell: ({ created_at }) => <Day at={created_at} /> },
  { head: "VIN", extra: true, cell: ({ vin }) => vin },
  { head: "Exterior color", extra: true, cell: ({ exterior_color }) => exterior_color },
  { head: "Body style", extra: true, cell: ({ body_style }) => body_style },
  { head: "Fuel type", extra: true, cell: ({ fuel_type }) => fuel_type },
  { head: "Condition", extra: true, cell: ({ condition }) => condition },
  { head: "Changed", extra: true, numeric: true, cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

const CHANGES: readonly BulkAction<Vehicle>[] = [
  { label: "Status…", dialog: (asked) => <SetStatus {...asked} /> },
  { label: "Feature…", dialog: (asked) => <FeatureVehicles {...asked} featured /> },
  { label: "Unfeature…", dialog: (asked) => <FeatureVehicles {...asked} featured={false} /> },
];
const REMOVAL: BulkAction<Vehicle> = { label: "Remove…", dialog: (asked) => <RemoveVehicles {...asked} /> };

interface InventoryPage {
  readonly meta: { readonly total: number };
  readonly vehicles: readonly Vehicle[];
}

const FILTERS: readonly Filter[] = [
  { name: "status", label: "Status", options: STATUS_CHOICES },
  { name: "make", label: "Make" },
  { name: "model", label: "Model" },
  { name: "year", label: "Year", type: "number" },
  { name: "min_price", label: "Price from", type: "number" },
  { name: "max_price", label: "Price to", type: "number" },
  { name: "featured", label: "Featured", options: YES_NO },
];

/** A dealer's vehicles. */
export const Inventory = ({ dealerId }: { dealerId: number }) => {
  const may = useMay();
  const list = useListState();
  const path = `/dealers/${dealerId}/vehicles`;
  const query = { ...Object.fromEntries(FILTERS.map(({ name }) => [name, list.filter(name)])), ...list.window };
  const vehicles = useQuery({
    queryKey: [path, query],
    queryFn: async ({ signal }): Promise<Listed<Vehicle>> => {
      const page = await read<InventoryPage>(path, query, signal);
      return { items: page.vehicles, total: page.meta.total, next: null };
    },
    placeholderData: keepPreviousData,
  });
  return (
    <Listing
      caption="Vehicles"
      region="Inventory"
      noun="vehicles"
      list={list}
      query={vehicles}
      filters={FILTERS}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={namedApart}
      menu={(vehicle) => <VehicleMenu record={vehicle} />}
      bulk={[...(may("vehicles:write") ? CHANGES : []), ...(may("vehicles:delete") ? [REMOVAL] : [])]}
      empty={
        list.isFiltered ? (
          <Empty title="No vehicle matches">Make and model match as a whole. Clear the filters to see all.</Empty>
        ) : (
          <Empty title="No vehicles yet">
            <PageLink to={`/dealers/${dealerId}/vehicles/new`}>Add the first vehicle</PageLink>
          </Empty>
        )
      }
    />
  );
};
