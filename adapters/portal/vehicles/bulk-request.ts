import { useQuery } from "@tanstack/react-query";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { ApiError, change, type Issue, put, read, versionOf } from "../api/client.ts";
import { faultInWords, pathInWords } from "../forms/words.ts";
import type { Result, Results } from "../lists/bulk-change.tsx";

/** What becomes of many vehicles at once. */
export type Wanted = { readonly changes: Readonly<Record<string, unknown>> } | { readonly remove: true };

/** What the service says of one of them. */
interface Outcome {
  readonly id: number;
  readonly outcome: "updated" | "unchanged" | "removed" | "failed" | "not_found";
  readonly issues: readonly Issue[];
}

const send = async (
  rows: readonly Vehicle[],
  wanted: Wanted,
  dryRun: boolean,
): Promise<ReadonlyMap<number, Outcome>> => {
  const { results } = await change<{ readonly results: readonly Outcome[] }>("POST", "/vehicles/bulk", {
    ids: rows.map(({ id }) => id),
    versions: rows.map(({ updated_at }) => updated_at),
    ...wanted,
    dry_run: dryRun,
  });
  return new Map(results.map((one) => [one.id, one]));
};

const GONE = "It is no longer there.";
const CHANGED = "Somebody changed it meanwhile. Look at it, then tick it again.";

const sentenceOf = ({ issues }: Outcome): string =>
  issues
    .map((issue) => {
      const label = pathInWords(issue.path);
      return issue.path === "" ? issue.message : `${label}: ${faultInWords(issue, { label })}`;
    })
    .join("; ");

/** Why a vehicle would stay as it is; `false` if it would change. */
const whyNot = (outcome: Outcome | undefined): string | false => {
  if (outcome?.outcome === "not_found") return GONE;
  if (outcome?.issues.some(({ path }) => path === "versions")) return CHANGED;
  if (outcome?.outcome === "failed") return sentenceOf(outcome);
  return outcome?.outcome === "unchanged" && "It is so already";
};

/** What would become of each vehicle, asked of the service; `null` asks nothing. */
export const useDryRun = (rows: readonly Vehicle[], wanted: Wanted | null): ((row: Vehicle) => string | false) => {
  const { data } = useQuery({
    queryKey: ["/vehicles/bulk", wanted, rows.map(({ id }) => id)],
    queryFn: () => (wanted === null ? new Map<number, Outcome>() : send(rows, wanted, true)),
    enabled: wanted !== null,
    retry: false,
  });
  return ({ id }) => whyNot(wanted === null ? undefined : data?.get(id));
};

const resultOf = (outcome: Outcome | undefined): Result => {
  const reason = whyNot(outcome);
  return reason === false ? { fate: "done", said: "" } : { fate: "refused", said: reason };
};

/** Changes the vehicles with one request. */
export const changeTogether = async (rows: readonly Vehicle[], wanted: Wanted): Promise<Results<Vehicle>> => {
  const outcomes = await send(rows, wanted, false);
  return new Map(rows.map((row) => [row, resultOf(outcomes.get(row.id))]));
};

const refused = (status: number, sentence: string): ApiError =>
  new ApiError({ status, code: "not_as_listed", sentence });

/** So many vehicles are changed back at once. */
export const AT_ONCE = 8;

/** Changes a vehicle back, if it still is as `isAsLeft` says it was left; throws a plain sentence if not. */
export const changeBack = async (
  { id }: Vehicle,
  isAsLeft: (now: Vehicle) => boolean,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const path = `/vehicles/${id}`;
  try {
    const now = await read<Vehicle>(path);
    if (!isAsLeft(now)) throw refused(412, CHANGED);
    await put(path, changes, versionOf(now));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) throw refused(404, GONE);
    throw error.status === 412 ? refused(412, CHANGED) : error;
  }
};
