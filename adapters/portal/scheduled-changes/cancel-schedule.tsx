import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Schedule } from "../../../core/scheduled-changes/schedule.ts";
import { change } from "../api/client.ts";
import { notify, notifyFailure } from "../page/notify.tsx";

/** Cancels a scheduled change that has not begun. `words` say which. */
export const CancelSchedule = ({ schedule, words }: { schedule: Schedule; words: string }) => {
  const cancelling = useMutation({
    mutationFn: () => change("DELETE", `/scheduled-changes/${schedule.id}`),
    onSuccess: () => notify("Cancelled. Nothing changes then."),
    onError: (error) => notifyFailure(error),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={cancelling.isPending}
      aria-label={`Cancel ${words}`}
      onClick={() => cancelling.mutate()}
    >
      Cancel
    </Button>
  );
};
