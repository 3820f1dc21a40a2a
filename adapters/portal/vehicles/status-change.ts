import { useMutation } from "@tanstack/react-query";
import type { Sale } from "../../../core/history/sale.ts";
import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change, read } from "../api/client.ts";
import { notify, notifyFailure } from "../shell/notify.ts";
import { notifyWithUndo } from "../shell/undo-toast.tsx";
import { undoVehicleChange } from "./bulk-request.ts";
import { titleOf } from "./vehicle-words.ts";

/** What is sent of a sale with the status `sold`. */
export interface EnteredSale {
  readonly sold_price?: number | string;
  readonly sold_at?: string;
  readonly note?: string;
}

const saleOf = ({ id }: Vehicle): string => `/vehicles/${id}/sale`;

/** A changed status: the vehicle before and after, and its sale before, if it was sold. */
interface StatusChange {
  readonly before: Vehicle;
  readonly after: Vehicle;
  readonly sale: Sale | null;
}

const changeStatus = async (before: Vehicle, status: Status, entered: EnteredSale = {}): Promise<StatusChange> => {
  // A vehicle that is not sold any more has no sale: *Undo* enters it again.
  const sale = before.status === "sold" ? await read<Sale>(saleOf(before)) : null;
  const { note, ...fields } = entered;
  const after = await change<Vehicle>("PUT", `/vehicles/${before.id}`, { status, ...fields });
  if (note !== undefined) await change("PUT", saleOf(before), { note });
  return { before, after, sale };
};

const undoChange = async ({ before, after, sale }: StatusChange): Promise<void> => {
  await undoVehicleChange(before, ({ updated_at }) => updated_at === after.updated_at, {
    status: before.status,
    stage: before.stage,
    ...(sale !== null && { sold_at: before.sold_at, sold_price: sale.sold_price }),
    // It was sold by mistake, whatever day was entered.
    ...(after.status === "sold" && { undo_sale: true }),
  });
  if (sale !== null && sale.note !== null) await change("PUT", saleOf(before), { note: sale.note });
};

/** Changes the status of a vehicle. The notification of the change offers *Undo*, unless somebody changed it since. */
export const useStatusChange = (vehicle: Vehicle) => {
  const undoing = useMutation({
    mutationFn: undoChange,
    onSuccess: (_, { before }) => notify(`${titleOf(before)} is ${before.status} again.`),
    onError: (error) => notifyFailure(error),
  });
  return async (status: Status, sentence: string, entered?: EnteredSale): Promise<void> => {
    const changed = await changeStatus(vehicle, status, entered);
    const { before, after } = changed;
    // It was sold some time ago: the sale stands, and the vehicle is on the lot for a second time.
    if (before.status === "sold" && before.listed_at !== after.listed_at) {
      notify(`${sentence} Its sale stands in reports, and it is listed anew.`);
      return;
    }
    notifyWithUndo(sentence, () => undoing.mutate(changed));
  };
};
