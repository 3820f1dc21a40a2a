import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { BulkAnswer } from "../../../core/bulk/bulk.ts";
import type { FixableRule } from "../../../core/readiness/quality-fix.ts";
import type { AnsweredQuality } from "../../../core/readiness/readiness.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change, readList } from "../api/client.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { formatCount } from "../page/figures.tsx";
import { useNotifyWithUndo } from "../recent-changes/revert.ts";
import { useMay } from "../session/session.tsx";

/** What the service does with the vehicles that break a rule which it can mend by itself. */
const MENDS: Readonly<Record<FixableRule, { readonly done: string; readonly does: string }>> = {
  vin_placeholder: {
    done: "no longer have a text in place of their VIN",
    does: "What stands in place of the VIN is taken away. Imports then find these vehicles by their stock numbers.",
  },
  dates_swapped: {
    done: "have the listed date the other way round",
    does: "Day and month of the listed date are exchanged, where that gives a usual date.",
  },
};

/** True for a rule whose violations the service can mend by itself. */
export const isMendable = (rule: string): rule is FixableRule => Object.hasOwn(MENDS, rule);

/** The number of vehicles in a request. */
const AT_ONCE = 1000;

const idsOf = async (dealerId: string): Promise<readonly number[]> => {
  const ids: number[] = [];
  for (let query: object | null = { dealer_id: dealerId, limit: AT_ONCE }; query !== null; ) {
    const { items, next }: Awaited<ReturnType<typeof readList<Vehicle>>> = await readList<Vehicle>("/vehicles", {
      ...query,
    });
    ids.push(...items.map(({ id }) => id));
    query = next === null ? null : Object.fromEntries(new URLSearchParams(next));
  }
  return ids;
};

/** Mends all vehicles of a dealer that break a rule. */
const mendAll = async (dealerId: string, fix: FixableRule) => {
  const ids = await idsOf(dealerId);
  const changes: string[] = [];
  let mended = 0;
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const body = { ids: ids.slice(from, from + AT_ONCE), fix };
    const { results, change_id } = await change<BulkAnswer>("POST", "/vehicles/bulk", body);
    mended += results.filter(({ outcome }) => outcome === "updated").length;
    if (change_id !== null) changes.push(change_id);
  }
  return { mended, changes };
};

interface MendProps {
  readonly dealerId: string;
  readonly rule: AnsweredQuality["rules"][number];
}

/** A button that mends all vehicles which break a rule, after a question; nothing for other rules. */
export const MendButton = ({ dealerId, rule: { rule, count } }: MendProps) => {
  const [isAsking, setAsking] = useState(false);
  const mayChange = useMay()("vehicles:write");
  const notifyWithUndo = useNotifyWithUndo();
  if (!mayChange || !isMendable(rule)) return null;
  const { done, does } = MENDS[rule];
  const mend = async (): Promise<void> => {
    const { mended, changes } = await mendAll(dealerId, rule);
    notifyWithUndo(`${formatCount(mended, "vehicle")} ${done}.`, { changes, undone: "They are as they were." });
  };
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
        Mend…
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Mend ${formatCount(count, "vehicle")}?`}
          confirm="Mend"
          onConfirm={mend}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">{does}</Text>
        </ConfirmDialog>
      )}
    </>
  );
};
