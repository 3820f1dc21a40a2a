import { feedNeedsItsMakersRights } from "../access/rules/work-needs-its-makers-rights.ts";
import type { FeedFields, Held, StopReason } from "./feed.ts";
import type { FeedMaker, FeedService } from "./feed-repository.ts";

/** A loss of up to this many rows never holds a feed. */
const ALLOWED_DROP_ROWS = 3;

/** True if so many rows are missing that the feed is held until somebody has checked it. */
export const isLargeDrop = (before: number, rows: number, maxPercent: number): boolean =>
  before - rows > ALLOWED_DROP_ROWS && (before - rows) * 100 > before * maxPercent;

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
