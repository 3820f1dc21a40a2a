import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { FeedFinding } from "../../../core/feeds/inspections.ts";
import type { Todo } from "../../../core/today/do-next.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { type ListResult, readList } from "../api/client.ts";
import { notify, notifyFailure } from "../page/notify.tsx";
import type { SettableField } from "../vehicles/settable-fields.ts";

// Its form is larger than this page.
const SetField = lazy(() => import("../vehicles/set-field.tsx").then(({ SetField }) => ({ default: SetField })));

/** The number of vehicles in a request. One change takes no more of them. */
const AT_ONCE = 1000;

/** The vehicles of a feed that lack a field, as they are now; at most `AT_ONCE`. */
const vehiclesWithout = async (dealerId: number, { id, reason }: Todo): Promise<readonly Vehicle[]> => {
  const { items } = await readList<FeedFinding>(`/feeds/${id}/readiness/vehicles`, {
    ...{ severity: "error", rule: reason?.rule, field: reason?.field ?? undefined, limit: AT_ONCE },
  });
  const wanted = new Set(items.map(({ vehicle_id }) => vehicle_id));
  const found: Vehicle[] = [];
  let query: Parameters<typeof readList>[1] | null = { dealer_id: dealerId, limit: AT_ONCE };
  while (query !== null && found.length < wanted.size) {
    const read: ListResult<Vehicle> = await readList<Vehicle>("/vehicles", query);
    found.push(...read.items.filter((vehicle) => wanted.has(vehicle.id)));
    query = read.next === null ? null : Object.fromEntries(new URLSearchParams(read.next));
  }
  return found;
};

interface SetForAllProps {
  readonly dealerId: number;
  readonly todo: Todo;
  readonly field: SettableField;
  readonly sentence: string;
  /** Called after the change. The channel counts again when it fetches the feed. */
  readonly onSet: () => void;
}

/** A button that sets the empty field of all vehicles that a feed leaves out for it, after a question. */
export const SetForAll = ({ dealerId, todo, field, sentence, onSet }: SetForAllProps) => {
  const [rows, setRows] = useState<readonly Vehicle[] | null>(null);
  const reading = useMutation({
    mutationFn: () => vehiclesWithout(dealerId, todo),
    onSuccess: (found) => {
      if (found.length > 0) return setRows(found);
      notify("No vehicle lacks it any more.");
      onSet();
    },
    onError: (error) => notifyFailure(error),
  });
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Set for all: ${sentence}`}
        loading={reading.isPending}
        onClick={() => reading.mutate()}
      >
        Set for all…
      </Button>
      {rows !== null && (
        <Suspense fallback={null}>
          <SetField rows={rows} first={field} onClose={() => setRows(null)} onDone={onSet} />
        </Suspense>
      )}
    </>
  );
};
