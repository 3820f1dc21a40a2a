import { feedRoutes } from "../../adapters/http/api/feeds.ts";
import { feedPage } from "../../adapters/http/feeds/feed-files.ts";
import { fetchWriter } from "../../adapters/sql/feeds/fetches.ts";
import { makeFeedRepository } from "../../adapters/sql/feeds/repository.ts";
import { makeFeedService } from "../../adapters/sql/feeds/service.ts";
import { feedTokens } from "../../adapters/system/feed-tokens.ts";
import { makeDelivery } from "../../core/feeds/delivery.ts";
import { makeFeeds } from "../../core/feeds/feeds.ts";
import { makeFeedInspections } from "../../core/feeds/inspections.ts";
import { type Feature, type Http, type PageParts, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** Files of vehicles that channels fetch. */
export const wireFeeds = ({ db, clock, dealers, cache, settings, maxMs, pause, currentRequest, shown }: Shared) => {
  const stored = makeFeedRepository(db);
  const service = makeFeedService(db, { clock, cache, shown });
  const fetches = fetchWriter(db, clock);
  const feeds = makeFeeds({
    feeds: stored,
    dealers,
    service,
    tokens: feedTokens,
    settings,
    flush: fetches.flush,
    clock,
  });
  const inspections = makeFeedInspections({ feeds: stored, service, clock, maxMs, pause, currentRequest });
  const delivery = makeDelivery({ service, meter: fetches, tokens: feedTokens, clock });
  return {
    uses: { feeds, inspections, delivery },
    routes: ({ cursors, publicUrl }: Http) => feedRoutes({ feeds, inspections, cursors, publicUrl }),
    pages: (parts: PageParts) => [feedPage(delivery, parts)],
    works: [reportingFailures(fetches)],
  } satisfies Feature;
};
