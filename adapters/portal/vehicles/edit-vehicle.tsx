import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { DealerField, DealerName } from "../choices/dealer-choice.tsx";
import { numberOrText } from "../forms/draft.ts";
import { useEdit } from "../forms/edit.ts";
import { EditDialog } from "../forms/edit-dialog.tsx";
import { FieldGroup } from "../forms/field-group.tsx";
import { useNotifyWithUndo } from "../recent-changes/revert.ts";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { usePriceQuestion } from "./price-question.ts";
import type { ChangedVehicle } from "./status-change.ts";
import { bodyOfVehicle, draftOfVehicle, labelOf } from "./vehicle-draft.ts";
import { VehicleFields } from "./vehicle-fields.tsx";
import { titleOf } from "./vehicle-words.ts";

interface EditVehicleProps {
  readonly record: Vehicle;
  readonly onClose: () => void;
  /** The field that gets the focus first. */
  readonly focus?: string;
}

/** Changes a vehicle. A user without a dealer may also move it to another dealer. */
export const EditVehicle = ({ record, onClose, focus }: EditVehicleProps) => {
  const mayReassign = bindingOf(useSession().user) === null;
  const editing = useEdit({
    path: `/vehicles/${record.id}`,
    record,
    draftOf: (vehicle) => ({ ...draftOfVehicle(vehicle), dealer_id: String(vehicle.dealer_id) }),
    bodyOf: ({ dealer_id, ...values }) => ({ ...bodyOfVehicle(values, record), dealer_id: numberOrText(dealer_id) }),
  });
  const { draft, changes, save } = editing;
  const notifyWithUndo = useNotifyWithUndo();
  const askAboutPrice = usePriceQuestion();
  const submit = async (): Promise<void> => {
    if (Object.keys(changes).length > 0) {
      await askAboutPrice({ ...record, ...changes }, record);
      const { change_id } = await save<ChangedVehicle>();
      // A move is not reverted.
      const isMoved = "dealer_id" in changes;
      notifyWithUndo("The vehicle is saved.", {
        changes: isMoved ? [] : [change_id],
        undone: `${titleOf(record)} is as it was.`,
      });
    }
    onClose();
  };
  return (
    <EditDialog
      name={titleOf(record)}
      id={record.id}
      resource="vehicles"
      editing={editing}
      onSubmit={submit}
      onClose={onClose}
      focus={focus}
      labelOf={(field) => (field === "dealer_id" ? "Dealer" : labelOf(field))}
      valueRenderers={{ dealer_id: (id) => <DealerName id={Number(id)} /> }}
    >
      <VehicleFields draft={draft} dealerId={record.dealer_id} />
      {mayReassign && (
        <FieldGroup title="Whose it is">
          <DealerField {...draft.bind("dealer_id")} required />
        </FieldGroup>
      )}
    </EditDialog>
  );
};
