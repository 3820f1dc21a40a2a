import type { ImageRepository } from "../images/image-repository.ts";
import type { VehicleRepository } from "./vehicle-repository.ts";

/** A transaction that changes a vehicle with its images. Nothing but these methods may be awaited in it. */
export interface VehicleStep {
  readonly vehicles: Pick<VehicleRepository, "find" | "insertCompared" | "update">;
  readonly images: Pick<ImageRepository, "change">;
}

/** Transactions for a vehicle and its images. */
export interface VehicleTransactions {
  /** Runs a step in a transaction of its own. If it fails, nothing is changed. */
  once<Result>(work: (step: VehicleStep) => Promise<Result>): Promise<Result>;
}
