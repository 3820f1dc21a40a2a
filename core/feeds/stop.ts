import { admit, scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { andThen, type MaybePromise } from "../maybe-promise.ts";
import type { FeedFields, Held, Stop } from "./feed.ts";
import type { FeedMaker, FeedService } from "./feed-repository.ts";

/** What decides whether a feed is served. */
interface Stoppable {
  readonly fields: Pick<FeedFields, "active" | "dealer_ids">;
  readonly held: Held | null;
  readonly maker: FeedMaker;
}

/** True if whoever made a feed may still read the vehicles of these dealers (`null`: of all). */
const mayRead = (maker: Principal | null, dealerIds: readonly number[] | null): boolean => {
  if (maker === null || admit(maker, "vehicle.export") !== null) return false;
  const scope = scopeOf(maker);
  return scope === null || dealerIds?.every((id) => id === scope) === true;
};

/** Why a feed that is there is not served now; `null` if it is. */
export const stopOf = (
  { fields, held, maker }: Stoppable,
  service: Pick<FeedService, "maker">,
): MaybePromise<Stop | null> => {
  if (!fields.active) return "off";
  if (held !== null) return "held";
  return andThen(service.maker(maker), (present) => (mayRead(present, fields.dealer_ids) ? null : "not_readable"));
};
