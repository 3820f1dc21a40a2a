import { changeRoutes } from "../../adapters/http/api/changes.ts";
import { changeNews } from "../../adapters/sql/change-feed/news.ts";
import { makeChangeFeedRepository } from "../../adapters/sql/change-feed/repository.ts";
import { purging } from "../../adapters/sql/removed/purging.ts";
import { makeChangeFeed } from "../../core/change-feed/change-feed.ts";
import { type Feature, type Http, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** What copies of the inventory read. */
export const wireChangeFeed = ({ db, cache, background, delivery, pause, clock }: Shared) => {
  const records = makeChangeFeedRepository(db);
  const news = changeNews(db, { background, accessChanges: () => cache.generation });
  const changeFeed = makeChangeFeed({ records, news, delivery, pause, clock });
  return {
    uses: { changeFeed, news },
    routes: ({ feedCursors }: Http) => changeRoutes(changeFeed, feedCursors),
    works: [reportingFailures(purging([records], clock))],
  } satisfies Feature;
};
