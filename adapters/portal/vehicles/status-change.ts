import type { Sale } from "../../../core/history/sale.ts";
import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { notify } from "../page/notify.tsx";
import { useNotifyWithUndo } from "../recent-changes/revert.ts";
import { titleOf } from "./vehicle-words.ts";

/** What is sent of a sale with the status `sold`. */
export interface EnteredSale {
  readonly sold_price?: number | string;
  readonly sold_at?: string;
  readonly note?: string;
}

/** A vehicle as a change in the portal answers it, with the id of the change. */
export type ChangedVehicle = Vehicle & { readonly change_id?: string };

/** Changes the status of a vehicle. The notification of the change offers *Undo*, which reverts it. */
export const useStatusChange = (before: Vehicle) => {
  const notifyWithUndo = useNotifyWithUndo();
  return async (status: Status, sentence: string, { note, ...fields }: EnteredSale = {}): Promise<void> => {
    const path = `/vehicles/${before.id}`;
    const after = await change<ChangedVehicle>("PUT", path, { status, ...fields });
    const noted = note === undefined ? undefined : await change<Sale>("PUT", `${path}/sale`, { note });
    // It was sold some time ago: the sale stands, and the vehicle is on the lot for a second time.
    if (before.status === "sold" && before.listed_at !== after.listed_at) {
      notify(`${sentence} Its sale stands in reports, and it is listed anew.`);
      return;
    }
    const undone = `${titleOf(before)} is ${before.status} again.`;
    notifyWithUndo(sentence, { changes: [after.change_id, noted?.change_id], undone });
  };
};
