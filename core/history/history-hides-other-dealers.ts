import type { DealerScope } from "../access/decide.ts";
import type { Visibility } from "../access/visibility.ts";
import { visibleActor } from "../audit/audit-entries-hide-other-dealers.ts";
import type { Change, ChangeActor } from "./change.ts";

/** What a reader may see: the vehicles of which dealer, and which actors. */
interface Reader {
  readonly scope: DealerScope;
  readonly visibility: Visibility;
}

/**
 * A change of a vehicle, as its reader may see it. Bound callers see no other dealers, neither the one that a vehicle
 * came from nor the one that it went to. They see who made the change under the same rule as in the audit log. `actor`
 * is the user and the dealer behind it.
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
