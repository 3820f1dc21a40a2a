import Type from "typebox";
import { scopeOf } from "../access/decide.ts";
import { whyVehicleMissed } from "../access/missed-vehicle.ts";
import { useCase } from "../access/use-case.ts";
import { type Clock, msOf } from "../clock.ts";
import { findOrExplain } from "../crossing-changes.ts";
import { Failure, type Outcome } from "../failure.ts";
import { type Input, integer } from "../schema.ts";
import { daysOnLotOf } from "../vehicles/days-on-lot.ts";
import { MAX_PRICE } from "../vehicles/vehicle.ts";
import type { VehicleRepository } from "../vehicles/vehicle-repository.ts";
import type { AdviceRepository, SoldVehicle } from "./advice-repository.ts";
import { type DaysAtPrice, daysAtPrice, MIN_SALES } from "./estimate.ts";
import { type Likeness, type PastSale, similarSales } from "./similar-sales.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** So many of the last sales are read. Those of about its age are among them. */
const MAX_READ = 100;

/** Query of GET /api/vehicles/:id/advice. */
export const AdviceQuery = Type.Object({
  price: Type.Optional(
    integer(0, MAX_PRICE, {
      description: "Another price that is asked about: `at_price` answers.",
      examples: [24_990],
    }),
  ),
});
export type AdviceQuery = Input<typeof AdviceQuery>;

/** What would sell a vehicle, from the dealer's own sales. */
export interface Advice {
  readonly vehicle_id: number;
  readonly price: number;
  readonly days_on_lot: number;
  /** False if there are fewer than five sales: then there is no advice. */
  readonly enough: boolean;
  readonly like: Likeness;
  /** The sales that it is from, the last ones first. */
  readonly sales: readonly PastSale[];
  /** How long such vehicles took at its price; `null` if fewer than three were sold about it. */
  readonly at_present: DaysAtPrice | null;
  /** The same at the price that was asked about. */
  readonly at_price: DaysAtPrice | null;
}

interface Parts {
  readonly vehicles: Pick<VehicleRepository, "find" | "ownerOf">;
  readonly advice: AdviceRepository;
  readonly clock: Clock;
}

/** Sales with a price: 0 means that none is known. */
const salesOf = (sold: readonly SoldVehicle[]): readonly PastSale[] =>
  sold.filter(({ cents }) => cents > 0).map(saleOf);

const saleOf = ({ id, year, cents, listed_at, sold_at }: SoldVehicle): PastSale => ({
  vehicle_id: id,
  year,
  price: cents / 100,
  days: Math.max(0, Math.floor((msOf(sold_at) - msOf(listed_at)) / DAY_MS)),
  sold_at,
});

/** Use case of what would sell a vehicle (interface 6.1). */
export const makeAdvices = ({ vehicles, advice, clock }: Parts) => ({
  read: useCase(
    "vehicle.advice",
    async (principal, id: number, { price: asked }: AdviceQuery): Promise<Outcome<Advice>> => {
      const scope = scopeOf(principal);
      const found = await findOrExplain(
        () => vehicles.find(id, scope),
        () => whyVehicleMissed(vehicles, { principal, operation: "vehicle.advice", id }),
      );
      if (found instanceof Failure) return found;
      const vehicle = found.parse();
      const ofModel = salesOf(await advice.soldOfModel(vehicle, scope, MAX_READ));
      // Those of its body style are only looked for where its model says too little.
      const ofStyle = ofModel.length < MIN_SALES ? salesOf(await advice.soldOfStyle(vehicle, scope, MAX_READ)) : [];
      const { like, sales } = similarSales(vehicle.year, { ofModel, ofStyle });
      return {
        vehicle_id: id,
        price: vehicle.price,
        days_on_lot: daysOnLotOf(vehicle, clock.now()),
        enough: sales.length >= MIN_SALES,
        like,
        sales,
        at_present: daysAtPrice(sales, vehicle.price),
        at_price: asked === undefined ? null : daysAtPrice(sales, asked),
      };
    },
  ),
});

export type Advices = ReturnType<typeof makeAdvices>;
