import { FIGURES, type Figures } from "../../core/report/figures.ts";
import type { Status } from "../../core/vehicles/fields.ts";

const DAY_MS = 86_400_000;
/** Price rises count as at most ten million times the first price: in millionths of a percent. */
const MOST_RAISED = -1e15;
const dayOf = (moment: string): string => moment.slice(0, 10);

interface Sale {
  readonly dealer: number;
  soldAt: string;
  listedAt: string;
  /** `null` until somebody enters it. */
  cents: number | null;
  /** `null` if the vehicle was already sold on arrival. */
  readonly firstCents: number | null;
}

interface Modelled {
  dealer: number;
  status: Status;
  cents: number;
  firstCents: number;
  listedAt: string;
  arrival: { dealer: number; listedAt: string };
  sale: Sale | null;
}

/** The fields that an update of a vehicle sets. */
export interface LotChange {
  readonly dealer_id?: number;
  readonly status?: Status;
  readonly cents?: number;
  readonly listed_at?: string;
  /** What it was sold for, in cents; only with the status `sold`. */
  readonly soldFor?: number;
}

/**
 * The history of vehicles in plain code: it remembers every arrival, sale and price drop, and computes figures when
 * they are requested.
 */
export const lotModel = () => {
  const vehicles = new Map<number, Modelled>();
  const arrivals: { readonly dealer: number; listedAt: string }[] = [];
  const drops: { readonly dealer: number; readonly at: string }[] = [];
  let sales: Sale[] = [];

  const known = (id: number): Modelled => {
    const vehicle = vehicles.get(id);
    if (vehicle === undefined) throw new Error(`no vehicle ${id}`);
    return vehicle;
  };
  const arrive = (dealer: number, listedAt: string) => {
    const arrival = { dealer, listedAt };
    arrivals.push(arrival);
    return arrival;
  };
  const sell = (sale: Sale): Sale => {
    sales.push(sale);
    return sale;
  };

  return {
    add(
      id: number,
      { dealer, status, cents, listedAt }: { dealer: number; status: Status; cents: number; listedAt: string },
      soldAt: string,
    ) {
      const arrival = arrive(dealer, listedAt);
      const sale = status === "sold" ? sell({ dealer, soldAt, listedAt, cents: null, firstCents: cents }) : null;
      vehicles.set(id, { dealer, status, cents, firstCents: cents, listedAt, arrival, sale });
    },

    change(id: number, { dealer_id, status, cents, listed_at, soldFor }: LotChange, at: string) {
      const vehicle = known(id);
      const moves = dealer_id !== undefined && dealer_id !== vehicle.dealer;
      const wasSold = vehicle.status === "sold";
      const isSold = (status ?? vehicle.status) === "sold";
      if (!moves && cents !== undefined && cents < vehicle.cents) drops.push({ dealer: vehicle.dealer, at });
      vehicle.cents = cents ?? vehicle.cents;
      vehicle.status = status ?? vehicle.status;
      if (moves) {
        vehicle.dealer = dealer_id;
        vehicle.firstCents = vehicle.cents;
        vehicle.listedAt = listed_at ?? at;
        vehicle.arrival = arrive(dealer_id, vehicle.listedAt);
        vehicle.sale = null;
      } else if (listed_at !== undefined) {
        vehicle.listedAt = listed_at;
        vehicle.arrival.listedAt = listed_at;
      }
      if (vehicle.sale !== null && isSold) vehicle.sale.listedAt = vehicle.listedAt;
      if (vehicle.sale !== null && !isSold) {
        const gone = vehicle.sale;
        sales = sales.filter((sale) => sale !== gone);
        vehicle.sale = null;
      }
      if (isSold && vehicle.sale === null) {
        const came = wasSold && moves;
        const { dealer, listedAt, firstCents } = vehicle;
        vehicle.sale = sell({ dealer, soldAt: at, listedAt, cents: null, firstCents: came ? null : firstCents });
      }
      if (vehicle.sale !== null && soldFor !== undefined) vehicle.sale.cents = soldFor;
    },

    /** Sets the price and the time at which a vehicle was sold. */
    correctSale(id: number, cents: number, soldAt: string) {
      const { sale } = known(id);
      if (sale === null) return;
      sale.cents = cents;
      sale.soldAt = soldAt;
    },

    /** The figures of each dealer and day on which anything happened. */
    figures(): Map<string, Figures> {
      const days = new Map<string, Record<keyof Figures, number>>();
      const count = (dealer: number, moment: string, counted: Partial<Figures>) => {
        const key = `${dealer} ${dayOf(moment)}`;
        const day =
          days.get(key) ?? (Object.fromEntries(FIGURES.map((name) => [name, 0])) as Record<keyof Figures, number>);
        for (const name of FIGURES) day[name] += counted[name] ?? 0;
        days.set(key, day);
      };
      for (const { dealer, listedAt } of arrivals) count(dealer, listedAt, { added: 1 });
      for (const { dealer, at } of drops) count(dealer, at, { price_drops: 1 });
      for (const { dealer, soldAt, listedAt, cents, firstCents } of sales) {
        if (cents === null && firstCents === null) continue;
        const first = cents !== null && firstCents !== null && firstCents > 0 ? firstCents : null;
        const discount = first === null || cents === null ? 0 : first - cents;
        count(dealer, soldAt, {
          sold: 1,
          sold_cents: cents ?? 0,
          days_to_sell: Math.max(0, Math.floor((Date.parse(soldAt) - Date.parse(listedAt)) / DAY_MS)),
          discounts: first === null ? 0 : 1,
          discount_cents: discount,
          discount_percents:
            first === null ? 0 : Math.max(MOST_RAISED, Number((BigInt(discount) * 100_000_000n) / BigInt(first))),
        });
      }
      return days;
    },
  };
};
