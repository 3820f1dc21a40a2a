import { guardedEgress } from "../adapters/egress/client.ts";
import { auditRoutes } from "../adapters/http/api/audit.ts";
import { batchRoutes } from "../adapters/http/api/batch.ts";
import { bulkRoutes } from "../adapters/http/api/bulk.ts";
import { correctionRoutes } from "../adapters/http/api/corrections.ts";
import { dealerRoutes } from "../adapters/http/api/dealers.ts";
import { exportRoutes } from "../adapters/http/api/export.ts";
import { facetRoutes } from "../adapters/http/api/facets.ts";
import { feedRoutes } from "../adapters/http/api/feeds.ts";
import { historyRoutes } from "../adapters/http/api/history.ts";
import { imageRoutes } from "../adapters/http/api/images.ts";
import { mappingRoutes } from "../adapters/http/api/import-mappings.ts";
import { importRoutes } from "../adapters/http/api/imports.ts";
import { keyRoutes } from "../adapters/http/api/keys.ts";
import { meRoutes } from "../adapters/http/api/me.ts";
import { readinessRoutes } from "../adapters/http/api/readiness.ts";
import { recentChangeRoutes } from "../adapters/http/api/recent-changes.ts";
import { removedRoutes } from "../adapters/http/api/removed.ts";
import { reportRoutes } from "../adapters/http/api/report.ts";
import { settingsRoutes } from "../adapters/http/api/settings.ts";
import { sourceRoutes } from "../adapters/http/api/sources.ts";
import { suggestionRoutes } from "../adapters/http/api/suggestions.ts";
import { usageRoutes } from "../adapters/http/api/usage.ts";
import { userRoutes } from "../adapters/http/api/users.ts";
import { vehiclePager } from "../adapters/http/api/vehicle-pager.ts";
import { vehicleRoutes } from "../adapters/http/api/vehicles.ts";
import { vinRoutes } from "../adapters/http/api/vin.ts";
import { signedCursors } from "../adapters/http/protocol/cursor.ts";
import { listCursors } from "../adapters/http/protocol/list-cursors.ts";
import type { Route } from "../adapters/http/protocol/route.ts";
import { credentialCache } from "../adapters/sql/access/credential-cache.ts";
import { storedCredentials } from "../adapters/sql/access/credentials.ts";
import { makeDenialLog } from "../adapters/sql/audit/denials.ts";
import { makeAuditLog } from "../adapters/sql/audit/log.ts";
import { securityEventLog } from "../adapters/sql/audit/security-events.ts";
import { makeDealerRepository } from "../adapters/sql/dealers/repository.ts";
import { makeExportRepository } from "../adapters/sql/export/repository.ts";
import { makeFacetRepository } from "../adapters/sql/facets/repository.ts";
import { fetchWriter } from "../adapters/sql/feeds/fetches.ts";
import { makeFeedsOfVehicle } from "../adapters/sql/feeds/of-vehicle.ts";
import { makeFeedRepository } from "../adapters/sql/feeds/repository.ts";
import { makeFeedService } from "../adapters/sql/feeds/service.ts";
import { makeHistoryRepository } from "../adapters/sql/history/repository.ts";
import { makeSaleRepository } from "../adapters/sql/history/sales.ts";
import { makeImageRepository } from "../adapters/sql/images/repository.ts";
import { makeCorrectionRepository } from "../adapters/sql/imports/corrections.ts";
import { makeMappingRepository } from "../adapters/sql/imports/mappings.ts";
import { makeImportRepository } from "../adapters/sql/imports/repository.ts";
import { makeRowWork } from "../adapters/sql/imports/row-steps.ts";
import { makeStoredBytes } from "../adapters/sql/imports/stored-bytes.ts";
import { makeImportWork } from "../adapters/sql/imports/work.ts";
import { makeJobs } from "../adapters/sql/jobs/jobs.ts";
import { jobRunner } from "../adapters/sql/jobs/runner.ts";
import { makeKeyRepository } from "../adapters/sql/keys/repository.ts";
import { DatabaseUnavailable, type SqlDatabase } from "../adapters/sql/query/database.ts";
import { makeLotRepository } from "../adapters/sql/readiness/lots.ts";
import { makeRecentChangeRepository } from "../adapters/sql/recent-changes/repository.ts";
import { purging } from "../adapters/sql/removed/purging.ts";
import { makeRemovedRepository } from "../adapters/sql/removed/repository.ts";
import { makeReportRepository } from "../adapters/sql/report/repository.ts";
import { spellingSweep } from "../adapters/sql/search/spelling-sweep.ts";
import { vehicleWordsIn } from "../adapters/sql/search/vehicle-words.ts";
import { searchWords } from "../adapters/sql/search/words.ts";
import { makeSettingsRepository } from "../adapters/sql/settings/repository.ts";
import { makeHourlyLimits } from "../adapters/sql/sign-in/hourly-limits.ts";
import { makeSourceRepository } from "../adapters/sql/sources/repository.ts";
import { makeSourceWork } from "../adapters/sql/sources/work.ts";
import { makeSuggestionRepository } from "../adapters/sql/suggestions/repository.ts";
import { makeUsageRepository } from "../adapters/sql/usage/repository.ts";
import { makeUsageStore } from "../adapters/sql/usage/store.ts";
import { makeUserRepository } from "../adapters/sql/users/repository.ts";
import { makeInventoryStates } from "../adapters/sql/vehicles/inventory-states.ts";
import { makeVehicleRepository } from "../adapters/sql/vehicles/repository.ts";
import { makeAlarm } from "../adapters/system/alarms.ts";
import { feedTokens } from "../adapters/system/feed-tokens.ts";
import { recurring } from "../adapters/system/recurring.ts";
import { secrets } from "../adapters/system/secrets.ts";
import { standards } from "../adapters/system/standards.ts";
import { timeZoneOf } from "../adapters/system/time-zones.ts";
import { nextTurn } from "../adapters/system/turns.ts";
import { includingUnsaved } from "../adapters/usage/including-unsaved.ts";
import { usageWriter } from "../adapters/usage/writer.ts";
import { threadedWorkbooks } from "../adapters/workbooks/reader.ts";
import type { CurrentRequest } from "../core/access/turns.ts";
import { makeAudit } from "../core/audit/audit.ts";
import { makeBulk } from "../core/bulk/bulk.ts";
import type { Clock, Timers } from "../core/clock.ts";
import { makeDealers } from "../core/dealers/dealers.ts";
import { makeInventoryVersions } from "../core/dealers/inventory-versions.ts";
import type { Network } from "../core/egress/networks.ts";
import { makeExports } from "../core/export/exports.ts";
import { makeFacets } from "../core/facets/facets.ts";
import { makeDelivery } from "../core/feeds/delivery.ts";
import { makeFeeds } from "../core/feeds/feeds.ts";
import { makeFeedInspections } from "../core/feeds/inspections.ts";
import { makeHistory } from "../core/history/history.ts";
import { makeSales } from "../core/history/sales.ts";
import { deliveryIssues } from "../core/images/image.ts";
import { makeImages } from "../core/images/images.ts";
import { makeImagesOfVehicles } from "../core/images/images-of-vehicles.ts";
import { makePrimaryImages } from "../core/images/primary-images.ts";
import { makeBatches } from "../core/imports/batch.ts";
import { makeCorrections } from "../core/imports/corrections.ts";
import { makeImports } from "../core/imports/imports.ts";
import { makeMappings } from "../core/imports/mappings.ts";
import { makeImportRun } from "../core/imports/run.ts";
import { makeKeys } from "../core/keys/keys.ts";
import { makeMe } from "../core/keys/me.ts";
import { makeOverview } from "../core/keys/overview.ts";
import { makeUsage } from "../core/keys/usage.ts";
import { andThen } from "../core/maybe-promise.ts";
import { makeNames } from "../core/names/names.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../core/quotas.ts";
import { makeReadiness } from "../core/readiness/readiness.ts";
import { makeRecentChanges } from "../core/recent-changes/recent-changes.ts";
import { makeRemoved } from "../core/removed/removed.ts";
import { makeReports } from "../core/report/reports.ts";
import type { Sealing } from "../core/sealing.ts";
import { makeSettings } from "../core/settings/settings.ts";
import { makeSourceRun } from "../core/sources/run.ts";
import type { FailingSource } from "../core/sources/source-repository.ts";
import { makeSources } from "../core/sources/sources.ts";
import { makeStorage } from "../core/storage.ts";
import { makeSuggestions } from "../core/suggestions/suggestions.ts";
import { limitConflicts } from "../core/users/email-conflicts.ts";
import { makeUsers } from "../core/users/users.ts";
import { makeVehicles } from "../core/vehicles/vehicles.ts";
import { makeVins } from "../core/vin/vins.ts";
import { uploadOfFile } from "./fetched-files.ts";

const TIDY_MS = 10 * 60_000;
const SWEEP_MS = 60 * 60_000;
const TICK_MS = 5000;

/** Makes the use cases for one database, and the services that they share. */
export const composeCore = ({
  db,
  clock,
  imageDeliveryBase,
  quotas = DEFAULT_QUOTAS,
  freeBytes = () => null,
  minFreeMib = 0,
  requestTimeoutMs = 5000,
  search = true,
  background = (work) => work(),
  currentRequest = () => undefined,
  sealing = () => Promise.reject(new Error("the secrets of this database are not unlocked")),
  egressAllow = [],
  warnOfSource = () => {},
  explainSource = () => {},
}: {
  readonly db: SqlDatabase;
  readonly clock: Clock & Timers;
  readonly imageDeliveryBase: string | null;
  readonly quotas?: Quotas;
  /** The free space on the disk of the database; `null` if it is unknown. */
  readonly freeBytes?: () => number | null;
  readonly minFreeMib?: number;
  readonly requestTimeoutMs?: number;
  /** False if vehicles cannot be searched by words. */
  readonly search?: boolean;
  /** Starts work that is not ended by the deadline of any request. */
  readonly background?: (work: () => void) => void;
  /** Returns the request that is being processed. */
  readonly currentRequest?: CurrentRequest;
  /** Seals and opens credentials. It waits until the secrets of the database are unlocked. */
  readonly sealing?: () => Promise<Pick<Sealing, "seal" | "open">>;
  /** Networks that files may be fetched from although they are refused otherwise. */
  readonly egressAllow?: readonly Network[];
  /** Is called for a source that keeps failing. */
  readonly warnOfSource?: Parameters<typeof makeSourceRun>[0]["warn"];
  /** Is called with what a source's run must not tell people outside. */
  readonly explainSource?: (source: FailingSource) => void;
}) => {
  const cache = credentialCache(storedCredentials(db));
  const usageWritten = usageWriter(makeUsageStore(db), clock, crypto.randomUUID());
  const usage = includingUnsaved(makeUsageRepository(db), usageWritten);
  const denials = makeDenialLog(db, clock);
  const events = securityEventLog(db, clock);
  const flush = async (): Promise<void> => void (await Promise.all([denials.flush(), events.flush()]));
  const words = vehicleWordsIn(db, search);
  const vehicles = makeVehicleRepository(db, words);
  const removed = makeRemovedRepository(db, words);
  const images = makeImageRepository(db, quotas.imagesPerVehicle);
  const dealers = makeDealerRepository(db);
  const keys = makeKeyRepository(db, cache.clear, quotas);
  const users = limitConflicts(makeUserRepository(db, cache.clear, quotas), makeHourlyLimits(db, clock));
  const delivery = imageDeliveryBase === null ? null : { base: imageDeliveryBase };
  const imageRules = {
    max: quotas.imagesPerVehicle,
    issuesOf: (address: string) => deliveryIssues(delivery, address),
  };
  const importWork = makeImportWork(db, {
    clock,
    words,
    mostImages: quotas.imagesPerVehicle,
    pause: nextTurn,
    warnOfSource,
  });
  // Work that begins before this limit can finish and be answered within the time limit of the request.
  const maxMs = requestTimeoutMs * 0.7;
  const isUnavailable = (error: unknown): boolean => error instanceof DatabaseUnavailable;
  const mappings = makeMappingRepository(db);
  const sweep = spellingSweep(db);
  const storage = makeStorage(makeStoredBytes(db), clock, { freeBytes, minFreeMib, keptMib: quotas.keptMibPerDealer });
  const settings = makeSettingsRepository(db, cache);
  const imports = makeImports({
    mappings,
    imports: makeImportRepository(db, clock),
    work: importWork,
    clock,
    nudge: () => background(runner.nudge),
    tidySoon: () => background(tidying.soon),
    storage,
    alarm: makeAlarm(clock),
    workbooks: threadedWorkbooks(),
    settings,
    pause: nextTurn,
  });
  const tidying = recurring(clock, TIDY_MS, imports.removeExpired);
  const egress = guardedEgress({ allowed: egressAllow, clock });
  const sources = makeSources({
    sources: makeSourceRepository(db, { clock, sealing }),
    clock,
    timeZone: timeZoneOf,
    egress,
    nudge: () => background(runner.nudge),
  });
  const runner = jobRunner(makeJobs(db, clock), {
    source: makeSourceRun({
      work: makeSourceWork(db, { clock, sealing }),
      egress,
      uploadOf: uploadOfFile,
      imports,
      clock,
      warn: warnOfSource,
      explain: explainSource,
    }).run,
    import: makeImportRun({
      work: importWork,
      clock,
      pause: nextTurn,
      images: imageRules,
      settings,
    }).run,
  });
  const feeds = makeFeedRepository(db);
  const feedService = makeFeedService(db, { clock, cache });
  const fetches = fetchWriter(db, clock);
  const rowParts = { words, mostImages: quotas.imagesPerVehicle, pause: nextTurn };
  const rowWork = makeRowWork(db, rowParts);
  const recentChanges = makeRecentChangeRepository(db, rowParts);
  const lots = makeLotRepository(db);
  const vehicleUseCases = makeVehicles({
    vehicles,
    transactions: rowWork,
    imageRules,
    search: words,
    storage,
    resaleDays: () => andThen(settings.read(), ({ resale_days }) => resale_days),
    clock,
  });
  return {
    cache,
    usageWritten,
    searchWords: searchWords(db),
    vehicleWords: words,
    repositories: { users, keys, dealers },
    firstKeys: keys,
    vehicles: vehicleUseCases,
    vins: makeVins(),
    suggestions: makeSuggestions({ suggestions: makeSuggestionRepository(db), search: words }),
    bulk: makeBulk({
      vehicles,
      lots,
      list: vehicleUseCases.list,
      storage,
      settings,
      dealers,
      clock,
      maxMs,
      pause: nextTurn,
      isUnavailable,
    }),
    batches: makeBatches({
      storage,
      settings,
      work: rowWork,
      clock,
      images: imageRules,
      maxMs,
      pause: nextTurn,
      isUnavailable,
    }),
    recentChanges: makeRecentChanges({
      changes: recentChanges,
      clock,
      maxMs,
      pause: nextTurn,
      isUnavailable,
    }),
    removed: makeRemoved({ removed, clock }),
    purging: purging([removed, recentChanges], clock),
    histories: makeHistory({ history: makeHistoryRepository(db), vehicles, clock }),
    corrections: makeCorrections({
      corrections: makeCorrectionRepository(db),
      vehicles,
      changeVehicle: vehicleUseCases.update,
    }),
    sales: makeSales({
      sales: makeSaleRepository(db),
      vehicles,
      changeVehicle: vehicleUseCases.update,
      clock,
    }),
    exports: makeExports({ exports: makeExportRepository(db), search: words, clock }),
    facets: makeFacets({ facets: makeFacetRepository(db), dealers, search: words, clock }),
    primaryImages: makePrimaryImages({ images, delivery }),
    imagesOfVehicles: makeImagesOfVehicles({ images, delivery }),
    images: makeImages({
      images,
      vehicles,
      clock,
      delivery,
      maxImages: quotas.imagesPerVehicle,
    }),
    imports,
    mappings: makeMappings({ mappings, clock }),
    runner,
    readiness: makeReadiness({
      lots,
      feeds: makeFeedsOfVehicle(db, clock),
      vehicles,
      settings,
      clock,
      pause: nextTurn,
      currentRequest,
    }),
    tidying,
    sweep,
    sweeping: recurring(clock, SWEEP_MS, sweep.run),
    sources,
    ticking: recurring(clock, TICK_MS, sources.tickAll),
    reports: makeReports({ reports: makeReportRepository(db), dealers, clock }),
    dealers: makeDealers({ dealers, vehicles, search: words, clock }),
    inventoryVersions: makeInventoryVersions({
      states: makeInventoryStates(db),
      clock,
      configuration: `${imageDeliveryBase}`,
    }),
    keys: makeKeys({ keys, users, secrets, clock }),
    me: makeMe({ keys, dealers }),
    usage: makeUsage({ usage, clock }),
    overview: makeOverview({ keys, usage, vehicles, dealers, clock }),
    users: makeUsers({ users, keys, secrets, clock }),
    names: makeNames({ dealers, users }),
    denials,
    events,
    inspections: makeFeedInspections({
      feeds,
      service: feedService,
      clock,
      // Longer work is given up while the client is still waiting.
      maxMs: requestTimeoutMs * 0.7,
      pause: nextTurn,
      currentRequest,
    }),
    feeds: makeFeeds({ feeds, service: feedService, tokens: feedTokens, settings, flush: fetches.flush, clock }),
    fetches,
    delivery: makeDelivery({
      service: feedService,
      meter: fetches,
      tokens: feedTokens,
      clock,
    }),
    settings: makeSettings({ settings, standards, clock }),
    audit: makeAudit({ log: makeAuditLog(db), denials: { flush }, clock }),
  };
};

/** Makes all routes of the API. */
export const composeRoutes = (
  core: ReturnType<typeof composeCore>,
  {
    clock,
    cursorSecret,
    exposeSql,
    publicUrl = null,
  }: {
    readonly clock: Clock;
    readonly cursorSecret: string;
    readonly exposeSql: boolean;
    readonly publicUrl?: string | null;
  },
): Route[] => {
  const cursors = listCursors(signedCursors(cursorSecret));
  const pager = vehiclePager(cursors, {
    names: core.names,
    primary_image: core.primaryImages,
    images: core.imagesOfVehicles,
  });
  return [
    ...vehicleRoutes({ vehicles: core.vehicles, pager, versions: core.inventoryVersions, clock, exposeSql }),
    ...bulkRoutes(core.bulk),
    ...batchRoutes(core.batches),
    ...exportRoutes(core.exports),
    ...facetRoutes({ facets: core.facets, versions: core.inventoryVersions, clock }),
    ...removedRoutes(core.removed, clock),
    ...recentChangeRoutes(core.recentChanges, cursors),
    ...readinessRoutes(core.readiness),
    ...historyRoutes({ histories: core.histories, sales: core.sales, cursors, clock }),
    ...correctionRoutes(core.corrections),
    ...suggestionRoutes(core.suggestions),
    ...vinRoutes(core.vins),
    ...imageRoutes(core.images),
    ...importRoutes(core.imports, cursors),
    ...mappingRoutes(core.mappings, cursors),
    ...sourceRoutes(core.sources, cursors),
    ...feedRoutes({ feeds: core.feeds, inspections: core.inspections, cursors, publicUrl }),
    ...dealerRoutes({ dealers: core.dealers, pager, versions: core.inventoryVersions, clock }),
    ...reportRoutes(core.reports),
    ...keyRoutes({ keys: core.keys, names: core.names, clock }),
    ...usageRoutes(core.usage),
    ...meRoutes(core.me),
    ...userRoutes(core.users, core.names),
    ...auditRoutes(core.audit, core.names, cursors),
    ...settingsRoutes(core.settings),
  ];
};

/** The routes of the API that the portal has, too. Whoever signs in has no key that could ask about itself. */
export const sharedRoutes = (routes: readonly Route[]): Route[] =>
  routes.filter(({ operation }) => operation !== "key.me");
