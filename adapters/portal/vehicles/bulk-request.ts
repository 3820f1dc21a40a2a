import { useQuery } from "@tanstack/react-query";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { ApiError, change, type Issue, put, read, versionOf } from "../api/client.ts";
import { issueMessage, labelOfPath } from "../forms/issue-messages.ts";
import type { RowResult, RowResults } from "../lists/bulk-change.tsx";

/** A change of many vehicles with one request. */
export type VehicleBulkChange = { readonly changes: Readonly<Record<string, unknown>> } | { readonly remove: true };

/** The service's answer for one vehicle. */
interface VehicleOutcome {
  readonly id: number;
  readonly outcome: "updated" | "unchanged" | "removed" | "failed" | "not_found";
  readonly issues: readonly Issue[];
}

const send = async (
  rows: readonly Vehicle[],
  bulkChange: VehicleBulkChange,
  dryRun: boolean,
): Promise<ReadonlyMap<number, VehicleOutcome>> => {
  const { results } = await change<{ readonly results: readonly VehicleOutcome[] }>("POST", "/vehicles/bulk", {
    ids: rows.map(({ id }) => id),
    versions: rows.map(({ updated_at }) => updated_at),
    ...bulkChange,
    dry_run: dryRun,
  });
  return new Map(results.map((one) => [one.id, one]));
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
    queryFn: () => (wanted === null ? new Map<number, VehicleOutcome>() : send(rows, wanted, true)),
    enabled: wanted !== null,
    retry: false,
  });
  return ({ id }) => skipReasonOf(wanted === null ? undefined : data?.get(id));
};

const resultOf = (outcome: VehicleOutcome | undefined): RowResult => {
  const reason = skipReasonOf(outcome);
  return reason === false ? { status: "done", note: "" } : { status: "refused", note: reason };
};

/** Changes the vehicles with one request. */
export const changeVehicles = async (
  rows: readonly Vehicle[],
  wanted: VehicleBulkChange,
): Promise<RowResults<Vehicle>> => {
  const outcomes = await send(rows, wanted, false);
  return new Map(rows.map((row) => [row, resultOf(outcomes.get(row.id))]));
};

/**
 * Marks the vehicles as sold, each for what was entered for it; `null` leaves its price open. Vehicles that were sold
 * for the same share a request.
 */
export const sellVehicles = async (
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

const refusal = (status: number, sentence: string): ApiError =>
  new ApiError({ status, code: "not_as_listed", sentence });

/** How many vehicles are changed back at the same time. */
export const UNDO_CONCURRENCY = 8;

/**
 * Undoes a change unless `isUnchanged` says that somebody changed the vehicle since: then it throws a plain sentence.
 */
export const undoVehicleChange = async (
  { id }: Vehicle,
  isUnchanged: (now: Vehicle) => boolean,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const path = `/vehicles/${id}`;
  try {
    const now = await read<Vehicle>(path);
    if (!isUnchanged(now)) throw refusal(412, CHANGED_MESSAGE);
    await put(path, changes, versionOf(now));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) throw refusal(404, GONE_MESSAGE);
    throw error.status === 412 ? refusal(412, CHANGED_MESSAGE) : error;
  }
};
