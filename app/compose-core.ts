import { vehiclePager } from "../adapters/http/api/vehicle-pager.ts";
import { signedCursors } from "../adapters/http/protocol/cursor.ts";
import { feedCursors } from "../adapters/http/protocol/feed-cursors.ts";
import { listCursors } from "../adapters/http/protocol/list-cursors.ts";
import type { Route } from "../adapters/http/protocol/route.ts";
import { wireAccess } from "./features/access.ts";
import { wireAdvice } from "./features/advice.ts";
import { wireAudit } from "./features/audit.ts";
import { wireBulk } from "./features/bulk.ts";
import { wireChangeFeed } from "./features/change-feed.ts";
import { wireDealerFigures } from "./features/dealer-figures.ts";
import { wireDealers } from "./features/dealers.ts";
import { wireExports } from "./features/exports.ts";
import { wireFacets } from "./features/facets.ts";
import type { Feature } from "./features/feature.ts";
import { wireFeeds } from "./features/feeds.ts";
import { wireFetchedPhotos } from "./features/fetched-photos.ts";
import { wireHistory } from "./features/history.ts";
import { wireImages } from "./features/images.ts";
import { wireImports } from "./features/imports.ts";
import { wireInventoryVersions } from "./features/inventory-versions.ts";
import { wireJobs } from "./features/jobs.ts";
import { wireKeys } from "./features/keys.ts";
import { wireNames } from "./features/names.ts";
import { wirePhotos } from "./features/photos.ts";
import { wireReadiness } from "./features/readiness.ts";
import { wireRemoved } from "./features/removed.ts";
import { wireRepeats } from "./features/repeats.ts";
import { wireScheduledChanges } from "./features/scheduled-changes.ts";
import { wireSearch } from "./features/search.ts";
import { wireSettings } from "./features/settings.ts";
import { type CoreParts, shareParts } from "./features/shared.ts";
import { wireSources } from "./features/sources.ts";
import { wireSuggestions } from "./features/suggestions.ts";
import { wireToday } from "./features/today.ts";
import { wireUsers } from "./features/users.ts";
import { wireVehicles } from "./features/vehicles.ts";
import { wireWebhooks } from "./features/webhooks.ts";

/** What all these offer together. */
type AllOf<Uses> = (Uses extends unknown ? (uses: Uses) => void : never) extends (all: infer All) => void ? All : never;

const together = <const Features extends readonly Feature[]>(features: Features) =>
  Object.assign({ features }, ...features.map(({ uses }) => uses)) as {
    readonly features: readonly Feature[];
  } & AllOf<Features[number]["uses"]>;

/**
 * Everything that the service can do on one database. A capability is wired in a file of its own, and is a line here.
 * Their order is that of the API's document.
 */
export const composeCore = (parts: CoreParts) => {
  const shared = shareParts(parts);
  const access = wireAccess(shared);
  const versions = wireInventoryVersions(shared);
  const names = wireNames(shared);
  const figures = wireDealerFigures(shared);
  const vehicles = wireVehicles(shared, versions.uses.inventoryVersions);
  const nudge = (): void => shared.transactions.atEnd(() => shared.background(jobs.uses.runner.nudge));
  const imports = wireImports(shared, nudge);
  const sources = wireSources(shared, imports.uses.imports, nudge);
  const photos = wirePhotos(shared, nudge);
  const fetched = wireFetchedPhotos(shared, nudge);
  const schedules = wireScheduledChanges(shared, nudge);
  const runs = { source: sources.run, import: imports.run, photos: photos.run, schedule: schedules.run };
  const jobs = wireJobs(shared, { ...runs, ...(fetched.run !== null && { "import-photos": fetched.run }) });
  return together([
    access,
    versions,
    names,
    wireSearch(shared),
    vehicles,
    wireBulk(shared, vehicles.uses.vehicles),
    wireExports(shared),
    wireFacets(shared, versions.uses.inventoryVersions),
    wireRemoved(shared),
    wireReadiness(shared),
    wireHistory(shared, vehicles.uses.vehicles),
    wireAdvice(shared),
    schedules,
    wireChangeFeed(shared),
    wireSuggestions(shared),
    wireImages(shared, photos.uses.photos),
    photos,
    fetched,
    imports,
    sources,
    wireFeeds(shared),
    wireWebhooks(shared),
    figures,
    wireDealers(shared, versions.uses.inventoryVersions, figures.uses.dealerFigures),
    wireToday(shared),
    wireKeys(shared, names.uses.names),
    wireUsers(shared, names.uses.names),
    wireAudit(shared, names.uses.names, access.uses),
    wireSettings(shared),
    wireRepeats(shared),
    jobs,
  ]);
};

export type Core = ReturnType<typeof composeCore>;

interface RouteOptions {
  readonly cursorSecret: string;
  readonly exposeSql: boolean;
  readonly publicUrl: string | null;
}

/** Makes all routes of the API. */
export const composeRoutes = (core: Core, { cursorSecret, exposeSql, publicUrl }: RouteOptions): Route[] => {
  const signed = signedCursors(cursorSecret);
  const cursors = listCursors(signed);
  const pager = vehiclePager(cursors, {
    names: core.names,
    primary_image: core.primaryImages,
    images: core.imagesOfVehicles,
  });
  return core.features.flatMap(
    ({ routes }) => routes?.({ cursors, feedCursors: feedCursors(signed), pager, exposeSql, publicUrl }) ?? [],
  );
};

/** Whoever signs in has no key that could ask about itself, and keeps no copy: the portal only follows what changes. */
const OF_KEYS: ReadonlySet<string> = new Set(["key.me", "change.list"]);

/** The routes of the API that the portal has, too. */
export const sharedRoutes = (routes: readonly Route[]): Route[] =>
  routes.filter(({ operation }) => !OF_KEYS.has(operation));
