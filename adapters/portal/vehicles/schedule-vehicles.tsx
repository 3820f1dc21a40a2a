import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Schedule } from "../../../core/scheduled-changes/schedule.ts";
import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { FormDialog } from "../forms/dialog.tsx";
import { ChoiceField, TextField } from "../forms/fields.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import type { BulkDialogProps } from "../lists/bulk.tsx";
import { formatCount } from "../page/figures.tsx";
import { notify, notifyFailure, notifyWithUndo } from "../page/notify.tsx";
import { momentOf, nextFriday } from "../scheduled-changes/moment.ts";
import { STATUSES } from "../scheduled-changes/schedule-words.ts";
import { useTimeFormats } from "../times/times.tsx";
import { usePriceChange } from "./price-change.tsx";

const cancel = (made: readonly Schedule[]): Promise<unknown> =>
  Promise.all(made.map(({ id }) => change("DELETE", `/scheduled-changes/${id}`)));

/** Schedules the same for the vehicles of each dealer: all of it or nothing. */
const scheduleAll = async (rows: readonly Vehicle[], wanted: object): Promise<readonly Schedule[]> => {
  const made: Schedule[] = [];
  try {
    for (const ofDealer of Map.groupBy(rows, ({ dealer_id: dealer }) => dealer).values())
      made.push(
        await change<Schedule>("POST", "/scheduled-changes", { vehicle_ids: ofDealer.map(({ id }) => id), ...wanted }),
      );
  } catch (error) {
    await cancel(made);
    throw error;
  }
  return made;
};

/** Schedules a change of the selected vehicles' prices, status or both; those of each dealer are one scheduled change. */
export const ScheduleVehicles = ({ rows, onClose, onDone }: BulkDialogProps<Vehicle>) => {
  const { full } = useTimeFormats();
  const [offered] = useState(nextFriday);
  const [at, setAt] = useState(offered);
  const [status, setStatus] = useState<Status | "">("");
  const { wanted, isEmpty, issues, fields } = usePriceChange({ required: false });
  const cancelling = useMutation({
    mutationFn: cancel,
    onSuccess: () => notify("Nothing is scheduled."),
    onError: (error) => notifyFailure(error),
  });
  const schedule = async (): Promise<void> => {
    throwIfIssues(
      !isEmpty ? issues : status === "" ? [{ path: "by", message: "must be a number; or choose a status" }] : [],
    );
    const made = await scheduleAll(rows, {
      at: momentOf(at),
      changes: { ...(wanted !== null && { price: wanted }), ...(status !== "" && { status }) },
    });
    onDone();
    notifyWithUndo(`${formatCount(rows.length, "vehicle")} scheduled for ${full(momentOf(at))}.`, () =>
      cancelling.mutate(made),
    );
  };
  return (
    <FormDialog
      title={`Schedule a change of ${formatCount(rows.length, "vehicle")}`}
      submit="Schedule"
      isChanged={at !== offered || status !== "" || !isEmpty}
      onSubmit={schedule}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        The prices change from what they are then. A vehicle that somebody changes before is left as it is.
      </Text>
      <TextField path="at" label="When" type="datetime-local" value={at} onChange={setAt} required />
      {fields}
      <ChoiceField path="changes.status" label="Status" value={status} onChange={setStatus} options={STATUSES} />
    </FormDialog>
  );
};
