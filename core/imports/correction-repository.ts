import type { DealerScope } from "../access/decide.ts";
import type { Timestamp } from "../clock.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { Base } from "./merge.ts";

/** So many sources are compared with a vehicle: those whose files said something new of it last. */
export const MOST_COMPARED = 20;

/** What the last file of a source said of a vehicle, and when it was read. */
export interface SaidOfVehicle {
  /** See `sourceOf`. */
  readonly source: string;
  /** The name of the import source or mapping; `null` for uploads. */
  readonly name: string | null;
  readonly at: Timestamp;
  readonly base: Base;
}

/** A vehicle beside what files say of it. */
export interface ComparedWithFiles {
  readonly vehicle: Vehicle;
  /** The addresses of its images in their order. */
  readonly images: readonly string[];
  /** What the last files of up to `MOST_COMPARED` sources said, the latest first. */
  readonly said: readonly SaidOfVehicle[];
}

/** What files said of vehicles, compared with the vehicles. */
export interface CorrectionRepository {
  /** The vehicle; `null` if there is none in scope. */
  find(vehicleId: number, scope: DealerScope): MaybePromise<ComparedWithFiles | null>;
}
