import { Button } from "@mantine/core";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { DealerField } from "../dealers/dealer-choice.tsx";
import { Dialog } from "../forms/dialog.tsx";
import { changedFields, numberOrText, useDraft } from "../forms/draft.ts";
import { Form } from "../forms/form.tsx";
import { bindingOf } from "../keys/key-effect.ts";
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
    <Dialog title={`Edit ${titleOf(record)}`} onClose={onClose} size="xl">
      <Form
        label={`Edit ${titleOf(record)}`}
        submit="Save"
        onSubmit={save}
        beside={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <VehicleFields draft={draft} />
        {mayReassign && <DealerField {...owner.bind("dealer_id")} required />}
      </Form>
    </Dialog>
  );
};
