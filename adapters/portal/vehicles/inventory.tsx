import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { type Listed, read } from "../api/client.ts";
import { ChoiceFilter, Filters, TextFilter } from "../lists/filters.tsx";
import { useListState } from "../lists/list-state.ts";
import { Pager } from "../lists/pager.tsx";
import { Empty, RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { PageLink } from "../shell/link.tsx";
import { Section } from "../shell/section.tsx";
import { RowPicture } from "./row-picture.tsx";
import { StatusChoice } from "./status-choice.tsx";
import { mileageInWords, priceInWords, STATUS_CHOICES, titleOf } from "./vehicle-words.ts";

const YES_NO = [
  ["true", "Featured"],
  ["false", "Not featured"],
] as const;

const COLUMNS: readonly Column<Vehicle>[] = [
  {
    head: "Vehicle",
    cell: (vehicle) => (
      <div className="wraps">
        <PageLink to={`/vehicles/${vehicle.id}`}>{titleOf(vehicle)}</PageLink>
        {vehicle.featured === 1 && " (featured)"}
      </div>
    ),
  },
  { head: "Picture", cell: ({ id }) => <RowPicture vehicleId={id} /> },
  { head: "Price", numeric: true, cell: ({ price }) => priceInWords(price) },
  { head: "Mileage", numeric: true, cell: ({ mileage }) => mileageInWords(mileage) },
  { head: "Stock number", cell: ({ stock_number }) => stock_number ?? "None" },
  { head: "Status", cell: (vehicle) => <StatusChoice vehicle={vehicle} /> },
];

interface InventoryPage {
  readonly meta: { readonly total: number };
  readonly vehicles: readonly Vehicle[];
}

const FILTERS = ["status", "featured", "make", "model", "year", "min_price", "max_price"] as const;

/** A dealer's vehicles. */
export const Inventory = ({ dealerId }: { dealerId: number }) => {
  const list = useListState();
  const path = `/dealers/${dealerId}/vehicles`;
  const query = { ...Object.fromEntries(FILTERS.map((name) => [name, list.filter(name)])), ...list.window };
  const vehicles = useQuery({
    queryKey: [path, query],
    queryFn: async ({ signal }): Promise<Listed<Vehicle>> => {
      const page = await read<InventoryPage>(path, query, signal);
      return { items: page.vehicles, total: page.meta.total, next: null };
    },
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Inventory">
      <Filters list={list}>
        <ChoiceFilter list={list} name="status" label="Status" options={STATUS_CHOICES} />
        <TextFilter list={list} name="make" label="Make" />
        <TextFilter list={list} name="model" label="Model" />
        <TextFilter list={list} name="year" label="Year" type="number" />
        <TextFilter list={list} name="min_price" label="Price from" type="number" />
        <TextFilter list={list} name="max_price" label="Price to" type="number" />
        <ChoiceFilter list={list} name="featured" label="Featured" options={YES_NO} />
      </Filters>
      <RecordList
        caption="Vehicles"
        query={vehicles}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          list.isFiltered ? (
            <Empty title="No vehicle matches">Make and model match as a whole. Clear the filters to see all.</Empty>
          ) : (
            <Empty title="No vehicles yet">
              <PageLink to={`/dealers/${dealerId}/vehicles/new`}>Add the first vehicle</PageLink>
            </Empty>
          )
        }
        below={({ total }) => <Pager list={list} total={total} noun="vehicles" />}
      />
    </Section>
  );
};
