import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Rule } from "../../../core/channels/issue.ts";
import type { FeedFinding } from "../../../core/feeds/inspections.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { type ListResult, readList } from "../api/client.ts";
import { notify, notifyFailure } from "../page/notify.tsx";
import type { SettableField } from "../vehicles/settable-fields.ts";

// Its form is larger than the pages that have this button.
const SetField = lazy(() => import("../vehicles/set-field.tsx").then(({ SetField }) => ({ default: SetField })));

/** The number of vehicles in a request. One change takes no more of them. */
const AT_ONCE = 1000;

/** A rule of a feed that vehicles break by a field which can be set for all of them. */
export interface SettableProblem {
  readonly feedId: number;
  readonly rule: Rule;
  readonly field: SettableField;
}

/** Those of a dealer's vehicles that are wanted, as they are now. */
const readWanted = async (dealerId: number, wanted: ReadonlySet<number>): Promise<readonly Vehicle[]> => {
  const found: Vehicle[] = [];
  let query: Parameters<typeof readList>[1] | null = { dealer_id: dealerId, limit: AT_ONCE };
  while (query !== null && found.length < wanted.size) {
    const read: ListResult<Vehicle> = await readList<Vehicle>("/vehicles", query);
    found.push(...read.items.filter((vehicle) => wanted.has(vehicle.id)));
    query = read.next === null ? null : Object.fromEntries(new URLSearchParams(read.next));
  }
  return found;
};

/** The vehicles that a feed leaves out for a problem, as they are now; at most `AT_ONCE`. */
const vehiclesWith = async ({ feedId, rule, field }: SettableProblem): Promise<readonly Vehicle[]> => {
  const { items } = await readList<FeedFinding>(`/feeds/${feedId}/readiness/vehicles`, {
    ...{ severity: "error", rule, field, limit: AT_ONCE },
  });
  const found: Vehicle[] = [];
  for (const [dealerId, ofDealer] of Map.groupBy(items, ({ dealer_id }) => dealer_id))
    found.push(...(await readWanted(dealerId, new Set(ofDealer.map(({ vehicle_id }) => vehicle_id)))));
  return found;
};

interface SetForAllProps {
  readonly problem: SettableProblem;
  readonly sentence: string;
  /** Called after the change. */
  readonly onSet: () => void;
}

interface ButtonProps extends SetForAllProps {
  readonly onRead: (rows: readonly Vehicle[]) => void;
}

/** A button that reads the vehicles whose empty field is to be set. */
export const SetForAllButton = ({ problem, sentence, onRead, onSet }: ButtonProps) => {
  const reading = useMutation({
    mutationFn: () => vehiclesWith(problem),
    onSuccess: (found) => {
      if (found.length > 0) return onRead(found);
      notify("No vehicle lacks it any more.");
      onSet();
    },
    onError: (error) => notifyFailure(error),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`Set for all: ${sentence}`}
      loading={reading.isPending}
      onClick={() => reading.mutate()}
    >
      Set for all…
    </Button>
  );
};

interface DialogProps {
  readonly rows: readonly Vehicle[];
  readonly field: SettableField;
  readonly onSet: () => void;
  readonly onClose: () => void;
}

/** The question what the field of these vehicles is to be. */
export const SetForAllDialog = ({ rows, field, onSet, onClose }: DialogProps) => (
  <Suspense fallback={null}>
    <SetField rows={rows} first={field} onClose={onClose} onDone={onSet} />
  </Suspense>
);

/** A button that sets the empty field of all vehicles that a feed leaves out for it, after a question. */
export const SetForAll = (props: SetForAllProps) => {
  const [rows, setRows] = useState<readonly Vehicle[] | null>(null);
  return (
    <>
      <SetForAllButton {...props} onRead={setRows} />
      {rows !== null && (
        <SetForAllDialog rows={rows} field={props.problem.field} onSet={props.onSet} onClose={() => setRows(null)} />
      )}
    </>
  );
};
