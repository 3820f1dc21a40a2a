import { feedNeedsItsMakersRights } from "../access/rules/work-needs-its-makers-rights.ts";
import type { FeedFields, Held, StopReason } from "./feed.ts";
import type { FeedMaker, FeedService } from "./feed-repository.ts";

/** What decides whether a feed is served. */
interface Stoppable {
  readonly fields: Pick<FeedFields, "active" | "dealer_ids">;
  readonly held: Held | null;
  readonly maker: FeedMaker;
}

/** The reason why an existing feed is not served now; `null` if it is served. */
export const stopReasonOf = async (
  { fields, held, maker }: Stoppable,
  service: Pick<FeedService, "maker">,
): Promise<StopReason | null> => {
  if (!fields.active) return "off";
  if (held !== null) return "held";
  return feedNeedsItsMakersRights(await service.maker(maker), fields.dealer_ids) ? null : "not_readable";
};
