import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { DealerField } from "../dealers/dealer-choice.tsx";
import { FormDialog } from "../forms/dialog.tsx";
import { changedFields, numberOrText, useDraft } from "../forms/draft.ts";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { sayDone } from "../shell/done.ts";
import { bodyOfVehicle, draftOfVehicle } from "./vehicle-draft.ts";
import { VehicleFields } from "./vehicle-fields.tsx";
import { titleOf } from "./vehicle-words.ts";

/** Changes a vehicle; who is bound to no dealer may also hand it to another. */
export const EditVehicle = ({ record, onClose }: { record: Vehicle; onClose: () => void }) => {
  const mayReassign = bindingOf(useSession().user) === null;
  const draft = useDraft(draftOfVehicle(record));
  const owner = useDraft({ dealer_id: String(record.dealer_id) });
  const save = async (): Promise<void> => {
    const dealer_id = numberOrText(owner.values.dealer_id);
    const changes = {
      ...changedFields(bodyOfVehicle(draftOfVehicle(record)), bodyOfVehicle(draft.values)),
      ...(dealer_id !== record.dealer_id && { dealer_id }),
    };
    if (Object.keys(changes).length > 0) {
      await change("PUT", `/vehicles/${record.id}`, changes);
      sayDone("The vehicle is saved.");
    }
    onClose();
  };
  return (
    <FormDialog title={`Edit ${titleOf(record)}`} submit="Save" onSubmit={save} onClose={onClose} size="xl">
      <VehicleFields draft={draft} />
      {mayReassign && <DealerField {...owner.bind("dealer_id")} required />}
    </FormDialog>
  );
};
