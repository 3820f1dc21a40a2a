import type { Principal } from "../access/principal.ts";
import { missingVehiclesAreRemovedByThoseWhoMayDelete } from "../access/rules/missing-vehicles-are-removed-by-those-who-may-delete.ts";
import { Failure, type Outcome } from "../failure.ts";
import { firstProgress } from "./after-step.ts";
import { isResting } from "./import.ts";
import type { ImportEnding, ResumableImport, ResumedImport, StoredImport } from "./import-repository.ts";
import { MAX_WAITING, TOO_MANY } from "./reception.ts";

const inWrongState = (reason: string): Failure => new Failure({ kind: "import-state", reason });

/** The failure if the import cannot be queued again by this caller in its present state. */
const resumptionRefusal = (
  { stored, hasFile, waiting }: ResumableImport,
  principal: Principal,
  { isThere, fault, needsFile }: { readonly isThere: boolean; readonly fault: string; readonly needsFile: boolean },
): Failure | null => {
  const lacking = missingVehiclesAreRemovedByThoseWhoMayDelete(principal, stored.options);
  if (lacking !== null) return lacking;
  if (!isThere) return inWrongState(fault);
  if (needsFile && !hasFile) return inWrongState("The file is kept for 24 hours only; send it again");
  return waiting >= MAX_WAITING ? TOO_MANY : null;
};

/** Makes the changes of a dry run from the same file, or continues a stopped import after its last batch. */
export const importRun = (present: ResumableImport, principal: Principal): Outcome<ResumedImport> => {
  const { id, state, options, progress } = present.stored;
  const refused = resumptionRefusal(present, principal, {
    isThere: state === "previewed" || state === "cancelled",
    fault: `Import ${id} was neither a dry run that is done nor stopped, so there is nothing to run`,
    needsFile: true,
  });
  if (refused !== null) return refused;
  if (state === "cancelled") return { options, progress };
  const real = { ...options, dry_run: false };
  return { options: real, progress: firstProgress(real) };
};

/** Handles the missing vehicles of a snapshot, of which somebody has confirmed the number. */
export const importConfirmed = (
  present: ResumableImport,
  principal: Principal,
  missing: number,
): Outcome<ResumedImport> => {
  const { id, state, options, progress } = present.stored;
  const refused = resumptionRefusal(present, principal, {
    isThere: state === "needs_confirmation",
    fault: `Import ${id} does not wait for a confirmation`,
    needsFile: false,
  });
  return refused ?? { options, progress: { ...progress, confirmed: missing } };
};

/**
 * Stops an import: a running one after its current batch, a waiting one at once. Of one that has ended, the photos that
 * still wait are not fetched.
 */
export const importStopped = ({
  state,
  images,
}: Pick<StoredImport, "state"> & { readonly images: Pick<StoredImport["images"], "waiting"> }): ImportEnding | null => {
  if (state === "running") return "stop";
  if (state === "queued" || state === "previewed" || state === "needs_confirmation") return "cancel";
  return state === "completed" && images.waiting > 0 ? "leave-photos" : null;
};

/** Removes an import that has ended. */
export const importRemoved = ({ id, state }: Pick<StoredImport, "id" | "state">): Outcome<ImportEnding> =>
  isResting(state) ? "remove" : inWrongState(`Import ${id} has not ended; stop it first`);
