import { useListed } from "../api/queries.ts";
import { ListPage } from "../lists/list-page.tsx";
import { useListState } from "../lists/list-state.ts";
import { Empty } from "../lists/record-list.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { counted } from "../shell/figures.tsx";
import { LinkButton, PageLink } from "../shell/link.tsx";
import { useVehicleChanges } from "./change-vehicles.tsx";
import { ExportVehicles } from "./export-vehicles.tsx";
import { INVENTORY_COLUMNS, type ListedVehicle, VEHICLE_COLUMNS } from "./vehicle-columns.tsx";
import { INVENTORY_FILTERS, setFilters, VEHICLE_FILTERS } from "./vehicle-filters.ts";
import { VehicleMenu } from "./vehicle-menu.tsx";
import { namedApart } from "./vehicle-words.ts";

/** The vehicles of all dealers in reach. */
export const VehiclesPage = () => {
  const list = useListState();
  const may = useMay();
  const mayAdd = may("vehicles:write");
  const isBound = bindingOf(useSession().user) !== null;
  const filters = isBound ? INVENTORY_FILTERS : VEHICLE_FILTERS;
  const vehicles = useListed<ListedVehicle>("/vehicles", {
    ...setFilters(list, filters),
    include: "names",
    ...list.window,
  });
  const total = vehicles.data?.total;
  return (
    <ListPage
      title="Vehicles"
      noun="vehicles"
      line={total !== undefined && `${counted(total, "vehicle")}${list.isFiltered ? " found" : ""}`}
      actions={
        <>
          <ExportVehicles path="/vehicles" query={setFilters(list, filters)} />
          {mayAdd && <LinkButton to="/vehicles/new">Add a vehicle</LinkButton>}
        </>
      }
      more={[may("vehicles:delete") && { label: "Removed vehicles", to: "/vehicles/removed" }]}
      list={list}
      query={vehicles}
      filters={filters}
      columns={isBound ? INVENTORY_COLUMNS : VEHICLE_COLUMNS}
      hasCards
      keyOf={({ id }) => id}
      nameOf={namedApart}
      menu={(vehicle) => <VehicleMenu record={vehicle} />}
      bulk={useVehicleChanges()}
      empty={
        list.isFiltered ? (
          <Empty title="No vehicle matches">Clear the filters to see all.</Empty>
        ) : (
          <Empty title="No vehicles yet">
            {mayAdd ? <PageLink to="/vehicles/new">Add the first vehicle</PageLink> : "None is in your sight."}
          </Empty>
        )
      }
    />
  );
};
