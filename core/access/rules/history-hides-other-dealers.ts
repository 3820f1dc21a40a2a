import type { Change, ChangeActor } from "../../history/change.ts";
import type { DealerScope } from "../decide.ts";
import type { Visibility } from "../visibility.ts";
import { visibleActor } from "./audit-entries-hide-other-dealers.ts";

/** Whose vehicles somebody reads, and whose doings. */
interface Reader {
  readonly scope: DealerScope;
  readonly visibility: Visibility;
}

/**
 * A change of a vehicle as its reader may see it. A bound caller sees no other dealer: not to whom the vehicle went,
 * and not from whom it came. Who made it is seen as in the audit log. `actor` is who, with the dealer behind it.
 */
export const historyHidesOtherDealers = (
  { scope, visibility }: Reader,
  change: Change,
  actor: Pick<ChangeActor, "userId" | "dealerId"> | null,
): Change => {
  const isHidden = scope !== null && change.field === "dealer_id";
  const shown = (value: Change["old"]) => (isHidden && value !== scope ? null : value);
  const { userId, dealerId } = actor ?? { userId: null, dealerId: null };
  const by = change.by && visibleActor(visibility, { actor: change.by, userId, dealerId });
  return { ...change, old: shown(change.old), new: shown(change.new), by };
};
