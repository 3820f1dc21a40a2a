import type { Image } from "../../../core/images/image.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { DealerLink } from "../dealers/dealer-choice.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoFacts } from "../lists/two-facts.tsx";
import { Ago, Day } from "../moments/moment.tsx";
import { Mileage, Price } from "../settings/amounts.tsx";
import { PageLink } from "../shell/link.tsx";
import { onLotInWords } from "./days-on-lot.ts";
import { Picture } from "./picture.tsx";
import { PriceBefore } from "./price-before.tsx";
import { StatusChoice } from "./status-choice.tsx";
import { marksOf, stageInWords, titleOf } from "./vehicle-words.ts";

/** What lists are asked to answer beside each vehicle. */
export const BESIDE_VEHICLES = "names,primary_image";

/** A vehicle as lists answer it with `include`. */
export type ListedVehicle = Vehicle & {
  readonly dealer_name?: string | null;
  readonly primary_image?: Image | null;
  readonly image_count?: number;
};

const PriceCell = ({ vehicle }: { vehicle: ListedVehicle }) => (
  <div>
    <Price of={vehicle.price} />
    <PriceBefore vehicle={vehicle} />
  </div>
);

const StatusCell = ({ vehicle }: { vehicle: ListedVehicle }) => (
  <>
    <StatusChoice vehicle={vehicle} />
    {vehicle.stage !== null && <span className="second-fact">{stageInWords(vehicle.stage)}</span>}
  </>
);

/** A vehicle with its picture; names the row. */
const VEHICLE: Column<ListedVehicle> = {
  head: "Vehicle",
  cell: (vehicle) => (
    <div className="pictured">
      <Picture image={vehicle.primary_image ?? undefined} alt="" className="row-picture" />
      <TwoFacts
        first={<PageLink to={`/vehicles/${vehicle.id}`}>{titleOf(vehicle)}</PageLink>}
        second={marksOf(vehicle)}
      />
    </div>
  ),
};

/** The dealer of a vehicle; only for lists of several dealers' vehicles. */
const DEALER: Column<ListedVehicle> = {
  head: "Dealer",
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
    numeric: true,
    sort: "mileage",
    firstOrder: "asc",
    cell: ({ mileage }) => <Mileage of={mileage} />,
  },
  { head: "On the lot", numeric: true, sort: "days_on_lot", cell: onLotInWords },
  { head: "Status", cell: (vehicle) => <StatusCell vehicle={vehicle} /> },
  { head: "Year", extra: true, numeric: true, sort: "year", cell: ({ year }) => year },
  { head: "Added", extra: true, numeric: true, sort: "created", cell: ({ created_at }) => <Day at={created_at} /> },
  { head: "VIN", extra: true, cell: ({ vin }) => vin },
  { head: "Exterior color", extra: true, cell: ({ exterior_color }) => exterior_color },
  { head: "Body style", extra: true, cell: ({ body_style }) => body_style },
  { head: "Fuel type", extra: true, cell: ({ fuel_type }) => fuel_type },
  { head: "Condition", extra: true, cell: ({ condition }) => condition },
  { head: "Images", extra: true, numeric: true, cell: ({ image_count }) => image_count },
  { head: "Changed", extra: true, numeric: true, cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

/** The columns of a list of one dealer's vehicles. */
export const INVENTORY_COLUMNS: readonly Column<ListedVehicle>[] = [VEHICLE, ...FACTS];

/** The columns of a list of several dealers' vehicles. */
export const VEHICLE_COLUMNS: readonly Column<ListedVehicle>[] = [VEHICLE, DEALER, ...FACTS];
