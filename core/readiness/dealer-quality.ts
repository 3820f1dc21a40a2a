import { countReadiness, type ReadinessCounts } from "./count.ts";
import { besidePeers } from "./peers.ts";
import { brokenRules, type JudgedVehicle, type JudgingContext, PRICE_OFF_PEERS } from "./quality.ts";
import { scoreOf } from "./score.ts";

/** A vehicle on a dealer's lot, with everything that the rules need. */
export interface LotVehicle extends JudgedVehicle {
  /** Make and model in the form in which the database compares them. */
  readonly make_folded: string;
  readonly model_folded: string;
}

/** Values that several vehicles on a lot have in common. */
export interface SharedValues {
  /** The addresses of photos that more than 3 vehicles have. */
  readonly photos: ReadonlySet<string>;
  /** VINs, in lower case, that more than one vehicle has. */
  readonly vins: ReadonlySet<string>;
}

/** How good the listings of a dealer's vehicles are. */
export interface Quality extends Pick<ReadinessCounts, "rules"> {
  /** The number of vehicles that were judged. Sold vehicles are not. */
  readonly vehicles: number;
  /** The mean score, a whole number from 0 to 100; `null` if there are no vehicles. */
  readonly score: number | null;
}

/** Compares a vehicle with the others of its dealer. Its price is compared elsewhere. */
export const comparedWith = ({ images, vin }: JudgedVehicle, { photos, vins }: SharedValues) => ({
  sharedPhoto: images.find((address) => photos.has(address)) ?? null,
  isVinRepeated: vin !== null && vins.has(vin.toLowerCase()),
});

type Found = readonly Pick<ReadinessCounts["rules"][number], "rule" | "severity" | "field">[];

/** Adds up the issues of vehicles, one vehicle at a time. */
export const qualityCounter = () => {
  const counting = countReadiness();
  let [vehicles, points] = [0, 0];
  return {
    /** Adds the issues of one vehicle. */
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

/** A vehicle whose price can be judged only when the prices of all its peers are known. */
interface UnratedVehicle {
  readonly year: number;
  readonly cents: number;
  readonly issues: Found;
}

/** The number of vehicles that are counted without a pause. They take a few milliseconds. */
const COUNTED_AT_ONCE = 500;

/**
 * Judges the vehicles on a dealer's lot. They can be added in any order. Of each vehicle, only a few values are kept.
 */
export const dealerQuality = (judging: JudgingContext, shared: SharedValues) => {
  const models = new Map<string, UnratedVehicle[]>();
  return {
    add(vehicle: LotVehicle): void {
      const broken = brokenRules(vehicle, judging, { ...comparedWith(vehicle, shared), isPriceOff: false });
      const waiting: UnratedVehicle = {
        year: vehicle.year,
        cents: Math.round(vehicle.price * 100),
        issues: broken.map(({ which }) => which),
      };
      const model = `${vehicle.make_folded}\n${vehicle.model_folded}`;
      const alike = models.get(model);
      if (alike === undefined) models.set(model, [waiting]);
      else alike.push(waiting);
    },

    /** Adds all of these vehicles to the counter, and pauses after every few hundred, so that other work can run. */
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
