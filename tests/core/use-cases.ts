import { makeDenialLog } from "../../adapters/sql/audit/denials.ts";
import { makeAuditLog } from "../../adapters/sql/audit/log.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeExportRepository } from "../../adapters/sql/export/repository.ts";
import { makeFacetRepository } from "../../adapters/sql/facets/repository.ts";
import { fetchWriter } from "../../adapters/sql/feeds/fetches.ts";
import { makeFeedsOfVehicle } from "../../adapters/sql/feeds/of-vehicle.ts";
import { makeFeedRepository } from "../../adapters/sql/feeds/repository.ts";
import { makeFeedService } from "../../adapters/sql/feeds/service.ts";
import { makeHistoryRepository } from "../../adapters/sql/history/repository.ts";
import { makeSaleRepository } from "../../adapters/sql/history/sales.ts";
import { makeImageRepository } from "../../adapters/sql/images/repository.ts";
import { makeCorrectionRepository } from "../../adapters/sql/imports/corrections.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeRowWork } from "../../adapters/sql/imports/row-steps.ts";
import { makeImportWork } from "../../adapters/sql/imports/work.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { makeLotRepository } from "../../adapters/sql/readiness/lots.ts";
import { makeRecentChangeRepository } from "../../adapters/sql/recent-changes/repository.ts";
import { makeRemovedRepository } from "../../adapters/sql/removed/repository.ts";
import { makeReportRepository } from "../../adapters/sql/report/repository.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeSettingsRepository } from "../../adapters/sql/settings/repository.ts";
import { makeSourceRepository } from "../../adapters/sql/sources/repository.ts";
import { openSqlite } from "../../adapters/sql/sqlite/open.ts";
import { makeSuggestionRepository } from "../../adapters/sql/suggestions/repository.ts";
import { makeUsageRepository } from "../../adapters/sql/usage/repository.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { makeInventoryStates } from "../../adapters/sql/vehicles/inventory-states.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { feedTokens } from "../../adapters/system/feed-tokens.ts";
import { sealingOf } from "../../adapters/system/sealing.ts";
import { secrets } from "../../adapters/system/secrets.ts";
import { standards } from "../../adapters/system/standards.ts";
import { timeZoneOf } from "../../adapters/system/time-zones.ts";
import { nextTurn } from "../../adapters/system/turns.ts";
import { composeAccounts } from "../../app/sign-in.ts";
import { makeAudit } from "../../core/audit/audit.ts";
import { makeBulk } from "../../core/bulk/bulk.ts";
import { makeDealers } from "../../core/dealers/dealers.ts";
import { makeInventoryVersions } from "../../core/dealers/inventory-versions.ts";
import { makeExports } from "../../core/export/exports.ts";
import { makeFacets } from "../../core/facets/facets.ts";
import { Failure, type Outcome } from "../../core/failure.ts";
import { makeFeeds } from "../../core/feeds/feeds.ts";
import { makeFeedInspections } from "../../core/feeds/inspections.ts";
import { makeHistory } from "../../core/history/history.ts";
import { makeSales } from "../../core/history/sales.ts";
import { deliveryIssues, type ImageDelivery } from "../../core/images/image.ts";
import { makeImages } from "../../core/images/images.ts";
import { makeBatches } from "../../core/imports/batch.ts";
import { makeCorrections } from "../../core/imports/corrections.ts";
import { makeImports } from "../../core/imports/imports.ts";
import { makeMappings } from "../../core/imports/mappings.ts";
import type { Upload } from "../../core/imports/reception.ts";
import { makeKeys } from "../../core/keys/keys.ts";
import { makeMe } from "../../core/keys/me.ts";
import { makeOverview } from "../../core/keys/overview.ts";
import { makeUsage } from "../../core/keys/usage.ts";
import { andThen } from "../../core/maybe-promise.ts";
import { makeNames } from "../../core/names/names.ts";
import { makeReadiness } from "../../core/readiness/readiness.ts";
import { makeRecentChanges } from "../../core/recent-changes/recent-changes.ts";
import { makeRemoved } from "../../core/removed/removed.ts";
import { makeReports } from "../../core/report/reports.ts";
import type { SearchReadiness } from "../../core/search/readiness.ts";
import { makeSettings } from "../../core/settings/settings.ts";
import { makeSources } from "../../core/sources/sources.ts";
import type { JsonRecord } from "../../core/stored-json.ts";
import { makeSuggestions } from "../../core/suggestions/suggestions.ts";
import { makeUsers } from "../../core/users/users.ts";
import { makeVehicles } from "../../core/vehicles/vehicles.ts";
import { makeVins } from "../../core/vin/vins.ts";
import { fakeClock } from "../support/clock.ts";
import { superAdminKey } from "./callers.ts";

export const NOW = "2026-11-20T09:11:00.000Z";

/** Every use case on a fresh SQLite database in memory, with a clock that stands still. */
export const openUseCases = async (delivery: ImageDelivery | null = null) => {
  const db = openSqlite(":memory:");
  await migrateToLatest(db);
  const clock = fakeClock(Date.parse(NOW));
  const vehicles = makeVehicleRepository(db);
  const search: SearchReadiness = { progress: () => ({ state: "ready", percent: 100 }) };
  const dealers = makeDealerRepository(db);
  const inventoryStates = makeInventoryStates(db);
  const storedKeys = makeKeyRepository(db, () => {});
  const users = makeUserRepository(db, () => {});
  const usage = makeUsageRepository(db);
  const { accounts, leaving } = composeAccounts({
    db,
    clock,
    repositories: { users, keys: storedKeys },
    onAccessChange: () => {},
    publicUrl: null,
    mailer: null,
  });
  const cache = { clear: () => {}, cacheValue: <Value>(read: () => Value) => read };
  const settings = makeSettingsRepository(db, cache);
  const feeds = makeFeedRepository(db);
  const feedService = makeFeedService(db, { clock, cache });
  const rowParts = { words: vehicleWordsIn(db), mostImages: 100, pause: nextTurn };
  const rowWork = makeRowWork(db, rowParts);
  const imageRules = { max: 100, issuesOf: (address: string) => deliveryIssues(delivery, address) };
  const vehicleUseCases = makeVehicles({
    vehicles,
    transactions: rowWork,
    imageRules,
    search,
    clock,
    resaleDays: () => andThen(settings.read(), ({ resale_days }) => resale_days),
  });
  return {
    db,
    clock,
    accounts,
    leaving,
    storedKeys,
    search,
    vehicles: vehicleUseCases,
    vins: makeVins(),
    suggestions: makeSuggestions({ suggestions: makeSuggestionRepository(db), search }),
    bulk: makeBulk({
      vehicles,
      lots: makeLotRepository(db),
      list: vehicleUseCases.list,
      settings,
      dealers,
      clock,
      maxMs: 2500,
      pause: nextTurn,
      isUnavailable: () => false,
    }),
    batches: makeBatches({
      settings,
      work: rowWork,
      clock,
      images: imageRules,
      maxMs: 2500,
      pause: nextTurn,
      isUnavailable: () => false,
    }),
    recentChanges: makeRecentChanges({
      changes: makeRecentChangeRepository(db, rowParts),
      clock,
      maxMs: 2500,
      pause: nextTurn,
      isUnavailable: () => false,
    }),
    removed: makeRemoved({ removed: makeRemovedRepository(db), clock }),
    readiness: makeReadiness({
      lots: makeLotRepository(db),
      feeds: makeFeedsOfVehicle(db, clock),
      vehicles,
      settings: makeSettingsRepository(db, { clear: () => {}, cacheValue: (read) => read }),
      clock,
      pause: nextTurn,
    }),
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
    exports: makeExports({ exports: makeExportRepository(db), search, clock }),
    facets: makeFacets({ facets: makeFacetRepository(db), dealers, search, clock }),
    images: makeImages({ images: makeImageRepository(db), vehicles, clock, delivery }),
    mappings: makeMappings({ mappings: makeMappingRepository(db), clock }),
    imports: makeImports({
      mappings: makeMappingRepository(db),
      imports: makeImportRepository(db, clock),
      work: makeImportWork(db, { clock, words: vehicleWordsIn(db), mostImages: 100, pause: nextTurn }),
      clock,
      nudge: () => {},
      pause: nextTurn,
    }),
    sources: makeSources({
      sources: makeSourceRepository(db, { clock, sealing: async () => sealingOf(new Uint8Array(32), []) }),
      clock,
      timeZone: timeZoneOf,
      egress: { refusal: () => null },
      nudge: () => {},
    }),
    reports: makeReports({ reports: makeReportRepository(db), dealers, clock }),
    dealers: makeDealers({ dealers, vehicles, search, clock }),
    inventoryStates,
    inventoryVersions: makeInventoryVersions({ states: inventoryStates, clock, configuration: "" }),
    keys: makeKeys({ keys: storedKeys, users, secrets, clock }),
    me: makeMe({ keys: storedKeys, dealers }),
    usage: makeUsage({ usage, clock }),
    overview: makeOverview({ keys: storedKeys, usage, vehicles, dealers, clock }),
    users: makeUsers({ users, keys: storedKeys, secrets, clock }),
    names: makeNames({ dealers, users }),
    inspections: makeFeedInspections({
      feeds,
      service: feedService,
      clock,
      maxMs: 2500,
      pause: nextTurn,
    }),
    feeds: makeFeeds({
      feeds,
      service: feedService,
      tokens: feedTokens,
      settings,
      flush: fetchWriter(db, clock).flush,
      clock,
    }),
    settings: makeSettings({ settings, standards, clock }),
    audit: makeAudit({ log: makeAuditLog(db), denials: makeDenialLog(db, clock), clock }),
  };
};
export type UseCases = Awaited<ReturnType<typeof openUseCases>>;

/** The value of an outcome that must be a success. */
export const succeeded = <Value>(outcome: Outcome<Value>): Value => {
  if (outcome instanceof Failure) throw new Error(`failed: ${JSON.stringify(outcome.cause)}`);
  return outcome;
};

/** The parsed record of a successful outcome. */
export const read = <Item>(outcome: Outcome<JsonRecord<Item>>): Item => succeeded(outcome).parse();

/** The cause of a failed outcome; `null` if it succeeded. */
export const causeOf = (outcome: unknown) => (outcome instanceof Failure ? outcome.cause : null);

/** The paths of the invalid fields that an outcome names; `null` if it names none. */
export const pathsOf = (outcome: unknown): string[] | null => {
  const cause = causeOf(outcome);
  return cause?.kind === "invalid" ? cause.issues.map(({ path }) => path).sort() : null;
};

export const newDealerBody = (name = "Harbor Motors") => ({
  name,
  address: "12 Quay Street",
  city: "Portland",
  state: "OR",
  zip: "97201",
  phone: "503-555-0142",
  email: "sales@harbor.example.com",
});

export const newVehicleBody = (fields: Readonly<Record<string, unknown>> = {}) => ({
  make: "Toyota",
  model: "Camry",
  year: 2024,
  price: 25999.99,
  ...fields,
});

export const newKeyBody = (fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "Showroom website",
  app_type: "web",
  app_id: "showroom-site",
  ...fields,
});

export const newUserBody = (email: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "Robin Example",
  email,
  role: "user",
  ...fields,
});

export const newSourceBody = (fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "Nightly file",
  url: "https://files.example.com/lot.csv",
  schedule: "30 2 * * *",
  ...fields,
});

export const newFeedBody = (dealerId: number, fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "Google",
  channel: "csv",
  dealer_ids: [dealerId],
  ...fields,
});

/** One dealer's records. */
export interface DealerRecords {
  readonly dealerId: number;
  readonly vehicleId: number;
  readonly removedId: number;
  readonly sourceId: number;
  readonly imageId: number;
  /** One that was stopped. */
  readonly importId: number;
  /** One that waits for a confirmation that nothing is missing. */
  readonly waitingImportId: number;
  readonly mappingId: number;
  readonly feedId: number;
  readonly keyId: number;
  readonly userId: number;
  /** A change of the vehicle. */
  readonly changeId: string;
}

let estates = 0;

/** A file that is sent. */
export const uploadOf = (text: string): Upload => ({
  charset: null,
  name: null,
  format: "csv",
  pieces: (async function* () {
    yield new TextEncoder().encode(text);
  })(),
  sent: () => ({ bytes: text.length, sha256: "0".repeat(64) }),
});

/**
 * Creates a dealer with a sold vehicle, an image of it, a removed vehicle, stopped imports, a source, a feed, a key and
 * a user.
 */
export const createDealerRecords = async ({
  db,
  bulk,
  dealers,
  vehicles,
  images,
  imports,
  mappings,
  sources,
  feeds,
  keys,
  users,
}: UseCases): Promise<DealerRecords> => {
  const admin = superAdminKey();
  const number = ++estates;
  const { id: dealerId } = succeeded(await dealers.create(admin, newDealerBody(`Dealer ${number}`)));
  const { id: vehicleId } = succeeded(
    await vehicles.create(admin, newVehicleBody({ dealer_id: dealerId, status: "sold" })),
  );
  const image = { image_url: `https://images.example.com/${number}.jpg` };
  const { id: imageId } = succeeded(await images.add(admin, vehicleId, image)).image;
  const changes = { ids: [vehicleId], changes: { seats: 5 } };
  const changed = succeeded(await bulk.change(admin, { input: changes, mayGoOn: () => true }));
  const { id: removedId } = succeeded(await vehicles.create(admin, newVehicleBody({ dealer_id: dealerId })));
  succeeded(await vehicles.remove(admin, removedId));
  const { id: sourceId } = succeeded(await sources.create(admin, newSourceBody({ dealer_id: dealerId })));
  const stopped = async (): Promise<number> => {
    const file = uploadOf("VIN,Make\n1,Toyota\n");
    const arrived = succeeded(await imports.receive(admin, { dealer_id: dealerId }, file));
    const { id } = succeeded(await imports.start(admin, arrived));
    succeeded(await imports.cancel(admin, id));
    return id;
  };
  const [importId, waitingImportId] = [await stopped(), await stopped()];
  const text = `UPDATE imports SET state = 'needs_confirmation' WHERE id = ${waitingImportId}`;
  await db.writeOne({ text, bind: () => [] }, {});
  const { id: mappingId } = succeeded(
    await mappings.create(admin, { name: `Mapping ${number}`, dealer_id: dealerId, columns: { Ours: "vin" } }),
  );
  const { record } = succeeded(await keys.create(admin, newKeyBody({ dealer_id: dealerId })));
  const user = newUserBody(`user-${number}@harbor.example.com`, { dealer_id: dealerId });
  const { id: userId } = succeeded(await users.create(admin, user));
  const feedId = succeeded(await feeds.create(admin, newFeedBody(dealerId))).feed.id;
  return {
    dealerId,
    vehicleId,
    removedId,
    imageId,
    importId,
    waitingImportId,
    mappingId,
    sourceId,
    feedId,
    keyId: record.id,
    userId,
    changeId: changed.change_id ?? "",
  };
};
