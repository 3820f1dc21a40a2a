import { ActionIcon, Button } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { ConflictChoice } from "../forms/conflict.tsx";
import { numberOrText, numberText } from "../forms/draft.ts";
import { useEdit } from "../forms/edit.ts";
import { TextField } from "../forms/fields.tsx";
import { Form } from "../forms/form.tsx";
import { useNotifyWithUndo } from "../recent-changes/revert.ts";
import { usePriceQuestion } from "./price-question.ts";
import type { ChangedVehicle } from "./status-change.ts";
import { labelOf } from "./vehicle-draft.ts";
import { titleOf } from "./vehicle-words.ts";

type Amount = "price" | "mileage";

interface AmountProps {
  readonly vehicle: Vehicle;
  readonly field: Amount;
}

/** The field of an amount. Escape leaves it as it was. */
export const AmountForm = ({ vehicle, field, onClose }: AmountProps & { readonly onClose: () => void }) => {
  const editing = useEdit({
    path: `/vehicles/${vehicle.id}`,
    record: vehicle,
    draftOf: (record) => ({ [field]: numberText(record[field]) }) as Readonly<Record<Amount, string>>,
    bodyOf: (values) => ({ [field]: numberOrText(values[field]) }),
  });
  const { draft, changes, save, conflict, isChanged } = editing;
  const askAboutPrice = usePriceQuestion();
  const notifyWithUndo = useNotifyWithUndo();
  const label = labelOf(field);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector("input")?.focus(), []);
  const submit = async (): Promise<void> => {
    if (Object.keys(changes).length > 0) {
      await askAboutPrice({ ...vehicle, ...changes }, vehicle);
      const { change_id } = await save<ChangedVehicle>();
      notifyWithUndo(`${label} saved.`, { changes: [change_id], undone: `${titleOf(vehicle)} is as it was.` });
    }
    onClose();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is a shortcut of the Cancel button
    <div ref={place} className="edit-amount" onKeyDown={({ key }) => key === "Escape" && onClose()}>
      <Form
        label={`Change the ${label.toLowerCase()}`}
        submit="Save"
        isChanged={isChanged}
        onSubmit={submit}
        secondaryAction={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <ConflictChoice conflict={conflict} draft={draft} id={vehicle.id} resource="vehicles" labelOf={() => label} />
        <TextField
          {...draft.bind(field)}
          label={label}
          inputMode={field === "price" ? "decimal" : "numeric"}
          autoFocus
          isSelected
        />
      </Form>
    </div>
  );
};

/** An amount that is changed where it stands. */
export const EditAmount = ({ vehicle, field, children }: AmountProps & { readonly children: ReactNode }) => {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (isOpen) return <AmountForm vehicle={vehicle} field={field} onClose={() => setOpen(false)} />;
  return (
    <div className="amount">
      {children}
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={`Change the ${labelOf(field).toLowerCase()}`}
        onClick={() => setOpen(true)}
      >
        <IconPencil size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
};
