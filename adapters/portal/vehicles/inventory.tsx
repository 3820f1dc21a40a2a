import { useListState } from "../lists/list-state.ts";
import { Listing } from "../lists/listing.tsx";
import { EmptyState } from "../lists/record-list.tsx";
import { PageLink } from "../page/link.tsx";
import { useVehicleChanges } from "./change-vehicles.tsx";
import { NothingFound, searchChips } from "./understood-search.tsx";
import { INVENTORY_COLUMNS } from "./vehicle-columns.tsx";
import { INVENTORY_FILTERS } from "./vehicle-filters.ts";
import { useVehicleList } from "./vehicle-list.ts";
import { menuOf } from "./vehicle-menu.tsx";
import { idOf, titleWithStockNumber } from "./vehicle-words.ts";

/** A dealer's vehicles. */
export const Inventory = ({ dealerId }: { dealerId: number }) => {
  const list = useListState();
  const vehicles = useVehicleList({ path: `/dealers/${dealerId}/vehicles`, list, filters: INVENTORY_FILTERS });
  return (
    <Listing
      caption="Vehicles"
      region="Inventory"
      noun="vehicles"
      list={list}
      query={vehicles.query}
      readFirst={vehicles.readFirst}
      sorting={vehicles.sorting}
      search="Words, stock, VIN"
      searchChips={searchChips(list, vehicles.query)}
      filters={INVENTORY_FILTERS}
      columns={INVENTORY_COLUMNS}
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
            <PageLink to={`/dealers/${dealerId}/vehicles/new`}>Add the first vehicle</PageLink>
          </EmptyState>
        )
      }
    />
  );
};
