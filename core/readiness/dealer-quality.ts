import { countReadiness, type ReadinessCounts } from "./count.ts";
import { besidePeers } from "./peers.ts";
import { brokenRules, type JudgedVehicle, type Judging, PRICE_OFF_PEERS, scoreOf } from "./quality.ts";

/** A vehicle on a dealer's lot, as rules judge it. */
export interface LotVehicle extends JudgedVehicle {
  /** As the database compares them. */
  readonly make_folded: string;
  readonly model_folded: string;
}

/** What more than one vehicle on a lot has. */
export interface Shared {
  /** Addresses of photos that more than 3 vehicles have. */
  readonly photos: ReadonlySet<string>;
  /** VINs, in lower case, that more than one vehicle has. */
  readonly vins: ReadonlySet<string>;
}

/** How good the listings of vehicles are. */
export interface Quality extends Pick<ReadinessCounts, "rules"> {
  /** How many were judged: those that are not sold. */
  readonly vehicles: number;
  /** The mean of their scores, a whole number from 0 to 100; `null` without vehicles. */
  readonly score: number | null;
}

/** What other vehicles say of one, but for its price. */
export const amongOthers = ({ images, vin }: JudgedVehicle, { photos, vins }: Shared) => ({
  sharedPhoto: images.find((address) => photos.has(address)) ?? null,
  isVinRepeated: vin !== null && vins.has(vin.toLowerCase()),
});

type Found = readonly Pick<ReadinessCounts["rules"][number], "rule" | "severity" | "field">[];

/** Adds up what was found of vehicles, one after the other. */
export const qualityCounter = () => {
  const counting = countReadiness();
  let [vehicles, points] = [0, 0];
  return {
    /** What was found of one vehicle. */
    add(issues: Found): void {
      counting.add(issues);
      vehicles++;
      points += scoreOf(issues);
    },
    quality: (): Quality => ({
      vehicles,
      score: vehicles === 0 ? null : Math.round(points / vehicles),
      rules: counting.counts().rules,
    }),
  };
};
type QualityCounter = ReturnType<typeof qualityCounter>;

/** A vehicle whose price waits for those of its peers. */
interface Waiting {
  readonly year: number;
  readonly cents: number;
  readonly issues: Found;
}

/** So many vehicles take a few milliseconds. */
const COUNTED_AT_ONCE = 500;

/** Judges the vehicles on a dealer's lot, which are added in any order. It keeps some numbers of each. */
export const dealerQuality = (judging: Judging, shared: Shared) => {
  const models = new Map<string, Waiting[]>();
  return {
    add(vehicle: LotVehicle): void {
      const broken = brokenRules(vehicle, judging, { ...amongOthers(vehicle, shared), isPriceOff: false });
      const waiting: Waiting = {
        year: vehicle.year,
        cents: Math.round(vehicle.price * 100),
        issues: broken.map(({ which }) => which),
      };
      const model = `${vehicle.make_folded}\n${vehicle.model_folded}`;
      const alike = models.get(model);
      if (alike === undefined) models.set(model, [waiting]);
      else alike.push(waiting);
    },

    /** Adds all of these to the counter, and lets others have their turn after a few hundred. */
    async addTo(counter: QualityCounter, pause: () => Promise<void>): Promise<void> {
      let added = 0;
      for (const alike of models.values())
        for (const { vehicle, isFar } of besidePeers(alike)) {
          counter.add(isFar ? [...vehicle.issues, PRICE_OFF_PEERS] : vehicle.issues);
          if (++added % COUNTED_AT_ONCE === 0) await pause();
        }
    },
  };
};
