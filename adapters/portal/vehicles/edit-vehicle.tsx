import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { DealerField, DealerName } from "../choices/dealer-choice.tsx";
import { numberOrText } from "../forms/draft.ts";
import { EditRecord } from "../forms/edit-record.tsx";
import { FieldGroup } from "../forms/field-group.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { useNotifyWithUndo } from "../recent-changes/revert.ts";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { usePriceQuestion } from "./price-question.ts";
import type { ChangedVehicle } from "./status-change.ts";
import { bodyOfVehicle, draftOfVehicle, labelOf } from "./vehicle-draft.ts";
import { VehicleFields } from "./vehicle-fields.tsx";
import { titleOf } from "./vehicle-words.ts";

interface EditVehicleProps extends RecordDialogProps<Vehicle> {
  /** The field that gets the focus first. */
  readonly focus?: string;
}

/** Changes a vehicle. A user without a dealer may also move it to another dealer. */
export const EditVehicle = ({ record, ...dialog }: EditVehicleProps) => {
  const mayReassign = bindingOf(useSession().user) === null;
  const notifyWithUndo = useNotifyWithUndo();
  const askAboutPrice = usePriceQuestion();
  return (
    <EditRecord
      record={record}
      {...dialog}
      resource="vehicles"
      path={`/vehicles/${record.id}`}
      draftOf={(vehicle) => ({ ...draftOfVehicle(vehicle), dealer_id: String(vehicle.dealer_id) })}
      bodyOf={({ dealer_id, ...values }) => ({ ...bodyOfVehicle(values, record), dealer_id: numberOrText(dealer_id) })}
      nameOf={titleOf}
      ask={(changes) => askAboutPrice({ ...record, ...changes }, record)}
      onSaved={({ change_id }: ChangedVehicle, changes) => {
        // A move is not reverted.
        const isMoved = "dealer_id" in changes;
        notifyWithUndo("The vehicle is saved.", {
          changes: isMoved ? [] : [change_id],
          undone: `${titleOf(record)} is as it was.`,
        });
        dialog.onClose();
      }}
      labelOf={(field) => (field === "dealer_id" ? "Dealer" : labelOf(field))}
      valueRenderers={{ dealer_id: (id) => <DealerName id={Number(id)} /> }}
    >
      {({ draft }) => (
        <>
          <VehicleFields draft={draft} dealerId={record.dealer_id} />
          {mayReassign && (
            <FieldGroup title="Whose it is">
              <DealerField {...draft.bind("dealer_id")} required />
            </FieldGroup>
          )}
        </>
      )}
    </EditRecord>
  );
};
