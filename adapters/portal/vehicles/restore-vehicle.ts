import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change, markRestored } from "../api/client.ts";

/** Restores a removed vehicle. */
export const restoreVehicle = async ({ id }: Pick<Vehicle, "id">): Promise<void> => {
  await change("POST", `/vehicles/removed/${id}/restore`);
  markRestored(`/vehicles/${id}`);
};
