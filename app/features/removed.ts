import { recentChangeRoutes } from "../../adapters/http/api/recent-changes.ts";
import { removedRoutes } from "../../adapters/http/api/removed.ts";
import { makeRecentChangeRepository } from "../../adapters/sql/recent-changes/repository.ts";
import { purging } from "../../adapters/sql/removed/purging.ts";
import { makeRemovedRepository } from "../../adapters/sql/removed/repository.ts";
import { makeRecentChanges } from "../../core/recent-changes/recent-changes.ts";
import { makeRemoved } from "../../core/removed/removed.ts";
import { type Feature, type Http, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** What can be taken back for some time: removed vehicles and recent changes. */
export const wireRemoved = ({ db, words, rowParts, clock, maxMs, pause, isUnavailable, transactions }: Shared) => {
  const storedRemoved = makeRemovedRepository(db, words);
  const changes = makeRecentChangeRepository(db, rowParts);
  const removed = makeRemoved({ removed: storedRemoved, clock });
  const recentChanges = makeRecentChanges({
    changes,
    clock,
    maxMs,
    holdsOthersUp: transactions.holdsOthersUp,
    pause,
    isUnavailable,
  });
  return {
    uses: { removed, recentChanges },
    routes: ({ cursors }: Http) => [...removedRoutes(removed, clock), ...recentChangeRoutes(recentChanges, cursors)],
    works: [reportingFailures(purging([storedRemoved, changes], clock))],
  } satisfies Feature;
};
