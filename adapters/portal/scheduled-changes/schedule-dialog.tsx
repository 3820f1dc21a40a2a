import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Schedule } from "../../../core/scheduled-changes/schedule.ts";
import type { Status } from "../../../core/vehicles/fields.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { FormDialog } from "../forms/dialog.tsx";
import { numberOrText, numberText, useDraft } from "../forms/draft.ts";
import { ChoiceField, TextField } from "../forms/fields.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { notify, notifyFailure, notifyWithUndo } from "../page/notify.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { useTimeFormats } from "../times/times.tsx";
import { momentOf, nextFriday } from "./moment.ts";
import { STATUSES } from "./schedule-words.ts";

interface ScheduleDialogProps {
  readonly vehicle: Pick<Vehicle, "id" | "price">;
  /** What the vehicle is called. */
  readonly name: string;
  /** The price that is offered; by default the field is empty, and the price stays. */
  readonly price?: number;
  readonly onClose: () => void;
}

/** Schedules a change of a vehicle's price, status or both; the next Friday is offered. */
export const ScheduleDialog = ({ vehicle, name, price, onClose }: ScheduleDialogProps) => {
  const { price: inWords } = useAmountFormats();
  const { full } = useTimeFormats();
  const { values, bind, isChanged } = useDraft({
    price: numberText(price ?? null),
    status: "" as Status | "",
    at: nextFriday(),
  });
  const cancelling = useMutation({
    mutationFn: ({ id }: Schedule) => change("DELETE", `/scheduled-changes/${id}`),
    onSuccess: () => notify("Nothing is scheduled."),
    onError: (error) => notifyFailure(error),
  });
  const schedule = async (): Promise<void> => {
    const wanted = numberOrText(values.price);
    throwIfIssues(
      wanted === null && values.status === ""
        ? [{ path: "changes.price", message: "must be a price; or choose a status" }]
        : [],
    );
    const made = await change<Schedule>("POST", "/scheduled-changes", {
      vehicle_id: vehicle.id,
      at: momentOf(values.at),
      changes: { ...(wanted !== null && { price: wanted }), ...(values.status !== "" && { status: values.status }) },
    });
    onClose();
    notifyWithUndo(`Scheduled for ${full(made.at)}.`, () => cancelling.mutate(made));
  };
  return (
    <FormDialog title="Schedule a change" submit="Schedule" isChanged={isChanged} onSubmit={schedule} onClose={onClose}>
      <Text size="sm" c="dimmed">
        {name}, now {inWords(vehicle.price)}. It is dropped if somebody changes the vehicle before.
      </Text>
      <TextField {...bind("at")} label="When" type="datetime-local" required />
      <TextField
        {...bind("price")}
        path="changes.price"
        label="Price"
        description="Empty: as it is"
        inputMode="decimal"
      />
      <ChoiceField {...bind("status")} path="changes.status" label="Status" options={STATUSES} />
    </FormDialog>
  );
};
