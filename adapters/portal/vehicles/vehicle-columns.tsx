import type { Image } from "../../../core/images/image.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { DealerLink } from "../choices/dealer-choice.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { PageLink } from "../page/link.tsx";
import { Picture } from "../photos/picture.tsx";
import { Mileage, Price } from "../settings/amounts.tsx";
import { CalendarDate, RelativeTime } from "../times/times.tsx";
import { LotAge } from "./lot-age.tsx";
import { PriceDifference } from "./price-difference.tsx";
import { StatusChoice } from "./status-choice.tsx";
import { identifiersOf, stageInWords, titleOf } from "./vehicle-words.ts";

/** What lists request with each vehicle (`include`). */
export const VEHICLE_INCLUDES = "names,primary_image";

/** A vehicle in a list, with the included records. */
export type ListedVehicle = Vehicle & {
  readonly dealer_name?: string | null;
  readonly primary_image?: Image | null;
  readonly image_count?: number;
};

const PriceCell = ({ vehicle }: { vehicle: ListedVehicle }) => (
  <div>
    <Price of={vehicle.price} />
    <PriceDifference vehicle={vehicle} />
  </div>
);

const StatusCell = ({ vehicle }: { vehicle: ListedVehicle }) => (
  <>
    <StatusChoice vehicle={vehicle} />
    {vehicle.stage !== null && <span className="second-line">{stageInWords(vehicle.stage)}</span>}
  </>
);

/** A vehicle with its picture; this column names the row. */
const VEHICLE: Column<ListedVehicle> = {
  head: "Vehicle",
  cell: (vehicle) => (
    <div className="pictured">
      <Picture image={vehicle.primary_image ?? undefined} alt="" className="row-picture" />
      <TwoLineCell
        first={<PageLink to={`/vehicles/${vehicle.id}`}>{titleOf(vehicle)}</PageLink>}
        second={identifiersOf(vehicle)}
      />
    </div>
  ),
};

/** The dealer of a vehicle; only for lists of several dealers' vehicles. */
const DEALER: Column<ListedVehicle> = {
  head: "Dealer",
  leaves: "first",
  cell: ({ dealer_id, dealer_name }) => (
    <div className="wraps">
      <DealerLink id={dealer_id} name={dealer_name} />
    </div>
  ),
};

const FACTS: readonly Column<ListedVehicle>[] = [
  {
    head: "Price",
    numeric: true,
    sort: "price",
    firstOrder: "asc",
    cell: (vehicle) => <PriceCell vehicle={vehicle} />,
  },
  {
    head: "Mileage",
    leaves: "second",
    numeric: true,
    sort: "mileage",
    firstOrder: "asc",
    cell: ({ mileage }) => <Mileage of={mileage} />,
  },
  { head: "On the lot", numeric: true, sort: "days_on_lot", cell: (vehicle) => <LotAge vehicle={vehicle} /> },
  { head: "Status", cell: (vehicle) => <StatusCell vehicle={vehicle} /> },
  { head: "Year", hiddenByDefault: true, numeric: true, sort: "year", cell: ({ year }) => year },
  {
    head: "Added",
    hiddenByDefault: true,
    numeric: true,
    sort: "created",
    cell: ({ created_at }) => <CalendarDate at={created_at} />,
  },
  { head: "VIN", hiddenByDefault: true, cell: ({ vin }) => vin },
  { head: "Exterior color", hiddenByDefault: true, cell: ({ exterior_color }) => exterior_color },
  { head: "Body style", hiddenByDefault: true, cell: ({ body_style }) => body_style },
  { head: "Fuel type", hiddenByDefault: true, cell: ({ fuel_type }) => fuel_type },
  { head: "Condition", hiddenByDefault: true, cell: ({ condition }) => condition },
  { head: "Images", hiddenByDefault: true, numeric: true, cell: ({ image_count }) => image_count },
  { head: "Changed", hiddenByDefault: true, numeric: true, cell: ({ updated_at }) => <RelativeTime at={updated_at} /> },
];

/** The columns of a list of one dealer's vehicles. */
export const INVENTORY_COLUMNS: readonly Column<ListedVehicle>[] = [VEHICLE, ...FACTS];

/** The columns of a list of several dealers' vehicles. */
export const VEHICLE_COLUMNS: readonly Column<ListedVehicle>[] = [VEHICLE, DEALER, ...FACTS];
