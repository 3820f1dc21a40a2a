import { type Failure, notFound } from "../failure.ts";
import { decide } from "./decide.ts";
import type { Operation } from "./policy.ts";
import type { Principal } from "./principal.ts";

/** The dealers that vehicles belong to. */
export interface VehicleOwners {
  /** The dealer of a vehicle, whoever asks; `null` if the vehicle does not exist. */
  ownerOf(id: number): Promise<number | null>;
}

/** An attempted operation on one vehicle. */
export interface Attempt {
  readonly principal: Principal;
  readonly operation: Operation;
  readonly id: number;
}

/**
 * The reason why a scoped statement did not find a vehicle: it does not exist, or it belongs to another dealer. `null`
 * if the vehicle is in scope by now.
 */
export const whyVehicleMissed = async (
  vehicles: VehicleOwners,
  { principal, operation, id }: Attempt,
): Promise<Failure | null> => {
  const owner = await vehicles.ownerOf(id);
  return owner === null
    ? notFound("vehicle", id)
    : decide(principal, operation, { subject: "vehicle", dealerId: owner });
};
