import type { Statistics } from "../../../core/dealers/statistics.ts";
import { useRecord } from "../api/queries.ts";
import { Figures } from "../page/figures.tsx";
import { PageLink } from "../page/link.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";

const vehicleLink = (vehicle: Statistics["newest_vehicle"]) =>
  vehicle === null ? (
    <span>None</span>
  ) : (
    <PageLink to={`/vehicles/${vehicle.id}`}>{`${vehicle.year} ${vehicle.make} ${vehicle.model}`}</PageLink>
  );

/** A dealer's inventory in figures. */
export const DealerFigures = ({ id }: { id: number }) => {
  const { price } = useAmountFormats();
  return (
    <QueryResult query={useRecord<Statistics>(`/dealers/${id}/stats`)} lines={1}>
      {(statistics) => (
        <Figures
          label="Statistics"
          figures={[
            ["Vehicles", statistics.total_vehicles],
            ["Available", statistics.available_vehicles],
            ["Pending", statistics.pending_vehicles],
            ["Sold", statistics.sold_vehicles],
            ["Average price", price(Math.round(statistics.average_price))],
            ["Inventory value", price(Math.round(statistics.inventory_value))],
            ["Newest", vehicleLink(statistics.newest_vehicle)],
            ["Oldest", vehicleLink(statistics.oldest_vehicle)],
          ]}
        />
      )}
    </QueryResult>
  );
};
