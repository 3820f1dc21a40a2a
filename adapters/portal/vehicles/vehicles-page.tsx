import { useDeferredValue, useMemo } from "react";
import { admit } from "../../../core/access/decide.ts";
import { ListPage } from "../lists/list-page.tsx";
import { useListState } from "../lists/list-state.ts";
import { EmptyState } from "../lists/record-list.tsx";
import { formatCount } from "../page/figures.tsx";
import { LinkButton, PageLink } from "../page/link.tsx";
import { RecentChangesLink } from "../recent-changes/recent-changes-link.tsx";
import { bindingOf, powersOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { useVehicleChanges } from "./change-vehicles.tsx";
import { ExportVehicles } from "./export-vehicles.tsx";
import { FacetPanel } from "./facet-panel.tsx";
import { NothingFound, searchChips } from "./understood-search.tsx";
import { INVENTORY_COLUMNS, VEHICLE_COLUMNS } from "./vehicle-columns.tsx";
import { useVehicleFilters } from "./vehicle-filters.ts";
import { useVehicleList } from "./vehicle-list.ts";
import { menuOf } from "./vehicle-menu.tsx";
import { VehicleSearch } from "./vehicle-search.tsx";
import { idOf, titleWithStockNumber } from "./vehicle-words.ts";

const PATH = "/vehicles";
const SEARCH = "Make, model, stock number, VIN or its last 6…";

/** The vehicles of all visible dealers. */
export const VehiclesPage = () => {
  const list = useListState();
  const may = useMay();
  const { user } = useSession();
  const dealerId = bindingOf(user);
  const hasSeveralDealers = dealerId === null;
  const filters = useVehicleFilters(list, hasSeveralDealers);
  const vehicles = useVehicleList({ path: PATH, list, filters });
  const total = vehicles.query.data?.total;
  const mayAdd = may("vehicles:write");
  const isListLoaded = !vehicles.query.isFetching;
  // Deferred, because people wait for the list.
  const panelInputs = useDeferredValue(JSON.stringify([vehicles.filterQuery, isListLoaded]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text holds all inputs of the panel
  const panel = useMemo(
    () => (
      <FacetPanel
        list={list}
        query={vehicles.filterQuery}
        isListLoaded={isListLoaded}
        hasSeveralDealers={hasSeveralDealers}
      />
    ),
    [panelInputs, hasSeveralDealers],
  );
  return (
    <ListPage
      title="Vehicles"
      noun="vehicles"
      subtitle={total !== undefined && `${formatCount(total, "vehicle")}${list.isFiltered ? " found" : ""}`}
      besideViews={<RecentChangesLink dealerId={hasSeveralDealers ? list.filter("dealer_id") : ""} />}
      actions={
        <>
          <ExportVehicles filters={vehicles.filterQuery} />
          {mayAdd && <LinkButton to="/vehicles/new">Add a vehicle</LinkButton>}
        </>
      }
      pageMenu={[
        dealerId !== null &&
          admit(powersOf(user), "dealer.today") === null && {
            label: "Walk the lot",
            to: `/to-walk/${dealerId}`,
          },
        admit(powersOf(user), "report.read") === null && { label: "Report", to: "/vehicles/report" },
        may("vehicles:write") && { label: "Scheduled changes", to: "/vehicles/scheduled" },
        mayAdd && { label: "Edit as a sheet", to: `/vehicles/sheet${window.location.search}` },
        may("vehicles:delete") && { label: "Deleted vehicles", to: "/vehicles/removed" },
      ]}
      list={list}
      query={vehicles.query}
      readFirst={vehicles.readFirst}
      sorting={vehicles.sorting}
      searchChips={searchChips(list, vehicles.query)}
      searchField={<VehicleSearch list={list} search={SEARCH} />}
      filterPanel={panel}
      filters={filters}
      columns={hasSeveralDealers ? VEHICLE_COLUMNS : INVENTORY_COLUMNS}
      hasCards
      keyOf={idOf}
      nameOf={titleWithStockNumber}
      menu={menuOf}
      bulk={useVehicleChanges()}
      empty={
        list.isFiltered ? (
          <NothingFound list={list} query={vehicles.query} />
        ) : (
          <EmptyState title="No vehicles yet">
            {mayAdd ? (
              <PageLink to="/vehicles/new">Add the first vehicle</PageLink>
            ) : (
              "There are none that you may see."
            )}
          </EmptyState>
        )
      }
    />
  );
};
