import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { RevertAnswer } from "../../../core/recent-changes/recent-changes.ts";
import { ApiError, change } from "../api/client.ts";
import { notify, notifyFailure, notifyWithUndo } from "../page/notify.tsx";

/** What became of a vehicle when a change was reverted. */
export type RevertedVehicle = RevertAnswer["results"][number];

/** A part of a change: all of it, or what it changed at one dealer. */
interface Reverted {
  readonly id: string;
  /** Only this dealer's vehicles; empty for all. */
  readonly dealerId?: string;
}

/** Reverts a change for all of its vehicles, in as many requests as that takes. */
export const revertChange = async ({ id, dealerId = "" }: Reverted): Promise<readonly RevertedVehicle[]> => {
  const results: RevertedVehicle[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const query = new URLSearchParams({
      include: "names",
      ...(after > 0 && { after: String(after) }),
      ...(dealerId !== "" && { dealer_id: dealerId }),
    });
    const answer: RevertAnswer = await change<RevertAnswer>(
      "POST",
      `/recent-changes/${encodeURIComponent(id)}/revert?${query}`,
    );
    results.push(...answer.results);
    after = answer.next;
  }
  return results;
};

/** Reads the sales on the screen again whose price or note was reverted: their vehicles have no new version. */
export const readSalesAgain = (client: QueryClient, results: readonly RevertedVehicle[]): void => {
  for (const { id, fields } of results) {
    if (fields.includes("status") || !(fields.includes("sold_price") || fields.includes("note"))) continue;
    for (const query of client.getQueryCache().findAll({ queryKey: [`/vehicles/${id}/sale`] }))
      if (query.isActive()) void query.fetch();
      else client.getQueryCache().remove(query);
  }
};

/** Why a vehicle was not set back; `null` if it was. */
export const whyNotReverted = (outcome: RevertedVehicle["outcome"] | undefined): string | null => {
  if (outcome === "reverted") return null;
  if (outcome === "changed_since") return "Somebody changed it meanwhile.";
  return outcome === "unchanged" ? "It is as it was already." : "It is no longer there.";
};

/** A change of one vehicle that was made just now. */
interface Undoable {
  /** The ids of its changes, in their order; those that changed nothing have none. */
  readonly changes: readonly (string | undefined)[];
  /** What is said when it is undone. */
  readonly undone: string;
}

const notUndone = (reason: string): ApiError =>
  new ApiError({ status: 409, code: "not_undone", sentence: `Not undone. ${reason}` });

const undo = async ({ changes }: Undoable): Promise<readonly RevertedVehicle[]> => {
  const results: RevertedVehicle[] = [];
  for (const id of changes.toReversed())
    if (id !== undefined)
      results.push(
        ...(await revertChange({ id }).catch((error) => {
          // What was saved was no other value.
          throw error instanceof ApiError && error.status === 404 ? notUndone("There is nothing to take back.") : error;
        })),
      );
  const [reason] = results.map(({ outcome }) => whyNotReverted(outcome)).filter((one) => one !== null);
  if (reason !== undefined) throw notUndone(reason);
  return results;
};

/** Shows a notification of a change of one vehicle, with *Undo*, which reverts it. */
export const useNotifyWithUndo = (): ((message: string, made: Undoable) => void) => {
  const client = useQueryClient();
  const undoing = useMutation({
    mutationFn: undo,
    onSuccess: (results, { undone }) => {
      readSalesAgain(client, results);
      notify(undone);
    },
    onError: (error) => notifyFailure(error),
  });
  return (message, made) =>
    made.changes.some((id) => id !== undefined) ? notifyWithUndo(message, () => undoing.mutate(made)) : notify(message);
};
