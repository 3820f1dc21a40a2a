import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { ApiError, change, type Issue } from "../api/client.ts";
import { issueMessage, labelOfPath } from "../forms/issue-messages.ts";
import type { RowResult, RowResults } from "../lists/bulk-change.tsx";
import { type RevertedVehicle, readSalesAgain, revertChange, whyNotReverted } from "../recent-changes/revert.ts";

/** A change of many vehicles with one request. */
export type VehicleBulkChange = { readonly changes: Readonly<Record<string, unknown>> } | { readonly remove: true };

/** The service's answer for one vehicle. */
interface VehicleOutcome {
  readonly id: number;
  readonly outcome: "updated" | "unchanged" | "removed" | "failed" | "not_found";
  readonly issues: readonly Issue[];
}

/** The field of an issue with the changes of a request, as the form has it. */
const atItsField = (error: unknown): unknown =>
  error instanceof ApiError
    ? new ApiError({
        ...error,
        details: error.details.map(({ path, message }) => ({ path: path.replace(/^changes\./, ""), message })),
      })
    : error;

const send = async (
  rows: readonly Vehicle[],
  bulkChange: VehicleBulkChange,
  dryRun: boolean,
): Promise<{ readonly outcomes: ReadonlyMap<number, VehicleOutcome>; readonly changeId: string | null }> => {
  const { results, change_id } = await change<{
    readonly results: readonly VehicleOutcome[];
    readonly change_id: string | null;
  }>("POST", "/vehicles/bulk", {
    ids: rows.map(({ id }) => id),
    versions: rows.map(({ updated_at }) => updated_at),
    ...bulkChange,
    dry_run: dryRun,
  }).catch((error: unknown) => {
    throw atItsField(error);
  });
  return { outcomes: new Map(results.map((one) => [one.id, one])), changeId: change_id };
};

const GONE_MESSAGE = "It is no longer there.";
const CHANGED_MESSAGE = "Somebody changed it meanwhile. Look at it, then tick it again.";

const issuesText = ({ issues }: VehicleOutcome): string =>
  issues
    .map((issue) => {
      const label = labelOfPath(issue.path);
      return issue.path === "" ? issue.message : `${label}: ${issueMessage(issue, { label })}`;
    })
    .join("; ");

/** Why the vehicle would not change; `false` if it would. */
const skipReasonOf = (outcome: VehicleOutcome | undefined): string | false => {
  if (outcome?.outcome === "not_found") return GONE_MESSAGE;
  if (outcome?.issues.some(({ path }) => path === "versions")) return CHANGED_MESSAGE;
  if (outcome?.outcome === "failed") return issuesText(outcome);
  return outcome?.outcome === "unchanged" && "It is so already";
};

/** Asks the service what the change would do to each vehicle; asks nothing for `null`. */
export const useDryRun = (
  rows: readonly Vehicle[],
  wanted: VehicleBulkChange | null,
): ((row: Vehicle) => string | false) => {
  const { data } = useQuery({
    queryKey: ["/vehicles/bulk", wanted, rows.map(({ id }) => id)],
    queryFn: async () =>
      wanted === null ? new Map<number, VehicleOutcome>() : (await send(rows, wanted, true)).outcomes,
    enabled: wanted !== null,
    retry: false,
  });
  return ({ id }) => skipReasonOf(wanted === null ? undefined : data?.get(id));
};

const resultOf = (outcome: VehicleOutcome | undefined): RowResult => {
  const reason = skipReasonOf(outcome);
  return reason === false ? { status: "done", note: "" } : { status: "refused", note: reason };
};

/** The reverted vehicle with this id, in the last of the changes that it belongs to. */
const outcomesOf = (results: readonly RevertedVehicle[]): ReadonlyMap<number, RevertedVehicle["outcome"]> =>
  new Map(results.toReversed().map(({ id, outcome }) => [id, outcome]));

/**
 * Bulk changes of vehicles, and their Undo: it reverts all that were made here, the last first, for the vehicles that
 * nobody changed since.
 */
export const useUndoableChanges = (undoneNote: (row: Vehicle) => string = () => "As it was") => {
  const client = useQueryClient();
  const made = useRef<string[]>([]);

  /** Changes the vehicles with one request. */
  const changeVehicles = async (rows: readonly Vehicle[], wanted: VehicleBulkChange): Promise<RowResults<Vehicle>> => {
    const { outcomes, changeId } = await send(rows, wanted, false);
    if (changeId !== null) made.current.push(changeId);
    return new Map(rows.map((row) => [row, resultOf(outcomes.get(row.id))]));
  };

  /**
   * Marks the vehicles as sold, each for what was entered for it; `null` leaves its price open. Vehicles that were sold
   * for the same share a request.
   */
  const sellVehicles = async (
    rows: readonly Vehicle[],
    priceOf: (row: Vehicle) => number | null,
  ): Promise<RowResults<Vehicle>> => {
    const results = new Map<Vehicle, RowResult>();
    for (const [price, some] of Map.groupBy(rows, priceOf)) {
      try {
        const changes = { status: "sold", ...(price !== null && { sold_price: price }) };
        for (const [row, result] of await changeVehicles(some, { changes })) results.set(row, result);
      } catch (error) {
        if (!(error instanceof ApiError) || results.size === 0) throw error;
        for (const row of some) results.set(row, { status: "refused", note: error.sentence });
      }
    }
    return results;
  };

  const undoAll = async (rows: readonly Vehicle[]): Promise<RowResults<Vehicle>> => {
    const results: RevertedVehicle[] = [];
    for (const id of made.current.toReversed()) results.push(...(await revertChange({ id })));
    readSalesAgain(client, results);
    const outcomes = outcomesOf(results);
    return new Map(
      rows.map((row) => {
        const reason = whyNotReverted(outcomes.get(row.id));
        return [
          row,
          reason === null
            ? { status: "undone", note: undoneNote(row) }
            : { status: "done", note: `Not undone: ${reason}` },
        ];
      }),
    );
  };

  /** What was made so far is not undone any more. */
  const forgetMade = (): void => {
    made.current = [];
  };

  return { changeVehicles, sellVehicles, undoAll, forgetMade };
};
