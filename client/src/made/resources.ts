// Made from the OpenAPI document by `bun run client`. Do not change it by hand.

import type { Call } from "../call.ts";
import type { List } from "../list.ts";
import type { CallOptions, ChangeOptions, VersionedOptions } from "../options.ts";
import type { Requests } from "../requests.ts";
import type {
  Advice,
  ApiKey,
  ApiKeyChanges,
  ApiKeyRotation,
  ApiKeyUsage,
  ApiKeyWithSecret,
  AuditEntry,
  BatchResults,
  BulkChange,
  BulkResults,
  Change,
  ChangePage,
  ChangedApiKey,
  ChangedUser,
  Correction,
  Corrections,
  CountVehiclesByFacetsOptions,
  Dealer,
  DealerChanges,
  DealerStatistics,
  DecodedVin,
  Done,
  ExportApiKeysOptions,
  ExportAuditEntriesOptions,
  ExportImportErrorsOptions,
  ExportVehiclesOptions,
  Feed,
  FeedChanges,
  FeedFinding,
  FeedFindingPage,
  FeedPage,
  FeedPreview,
  FeedRotation,
  GetApiKeyOptions,
  GetApiKeyUsageOptions,
  GetDealerReportOptions,
  GetQualityOptions,
  GetReportOptions,
  GetUserOptions,
  GetVehicleAdviceOptions,
  GetVehicleHistoryOptions,
  GetVehicleOptions,
  Image,
  ImageChanges,
  ImageOrder,
  Import,
  ImportConfirmation,
  ImportMapping,
  ImportMappingChanges,
  ImportMappingPage,
  ImportMending,
  ImportPage,
  ImportRow,
  ImportRowPage,
  ImportSource,
  ImportSourceChanges,
  ImportSourcePage,
  InventoryPage,
  ListApiKeysOptions,
  ListAuditEntriesOptions,
  ListChangesOptions,
  ListCorrectionsOptions,
  ListDealerVehiclesOptions,
  ListDealersOptions,
  ListFeedFindingsOptions,
  ListFeedsOptions,
  ListImagesOptions,
  ListImportMappingsOptions,
  ListImportRowsOptions,
  ListImportSourcesOptions,
  ListImportsOptions,
  ListRecentChangesOptions,
  ListRemovedVehiclesOptions,
  ListScheduledChangesOptions,
  ListUsersOptions,
  ListVehiclesOptions,
  ListWebhookDeliveriesOptions,
  ListWebhooksOptions,
  ListedDealer,
  Me,
  MendingResults,
  NewApiKey,
  NewDealer,
  NewFeed,
  NewImage,
  NewImportMapping,
  NewImportSource,
  NewScheduledChange,
  NewUser,
  NewVehicle,
  NewWebhook,
  OverallReport,
  PreviewFeedOptions,
  Quality,
  ReadinessOfFeed,
  RecentChange,
  RecentChangePage,
  RemovedVehicle,
  RemovedVehiclePage,
  Report,
  RevertChangeOptions,
  RevertResults,
  Sale,
  SaleChanges,
  ScheduledChange,
  ScheduledChangePage,
  ScheduledChangeWithVehicles,
  Settings,
  SettingsChanges,
  ShownFeed,
  StreamChangesOptions,
  SuggestVehicleWordsOptions,
  Suggestion,
  Today,
  User,
  UserChanges,
  Vehicle,
  VehicleBatch,
  VehicleChange,
  VehicleChanges,
  VehicleFacets,
  VehicleHistory,
  VehiclePage,
  VehicleReadiness,
  Webhook,
  WebhookChanges,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookRecovery,
  WebhookRecoveryRequest,
  WebhookSecretRotation,
  WebhookWithSecret,
} from "./records.ts";

/** The operations on `vehicles`. */
export class VehiclesOperations {
  constructor(protected readonly requests: Requests) {}

  /** List vehicles. Newest first. A key that is bound to a dealer sees only that dealer's vehicles. Needs `vehicles:read`. A bound key gets only its dealer's records. */
  list(query: ListVehiclesOptions = {}, options?: CallOptions): List<Vehicle, VehiclePage> {
    return this.requests.list({ method: "GET", path: "/api/vehicles", query, items: "vehicles" }, options);
  }

  /** Create a vehicle. For a bound key, `dealer_id` is replaced by the key's dealer. Other keys must send it. Needs `vehicles:write`. For a bound key, the dealer is always the key's. */
  create(body: NewVehicle, options?: ChangeOptions): Call<Vehicle> {
    return this.requests.send({ method: "POST", path: "/api/vehicles", body }, options);
  }

  /** Read a vehicle. Needs `vehicles:read`. For a bound key, records of other dealers answer 403. */
  get(id: number, query: GetVehicleOptions = {}, options?: CallOptions): Call<Vehicle> {
    return this.requests.send({ method: "GET", path: `/api/vehicles/${encodeURIComponent(id)}`, query }, options);
  }

  /** Change fields of a vehicle. Needs `vehicles:write`. For a bound key, records of other dealers answer 403. */
  update(id: number, body: VehicleChanges, options?: VersionedOptions): Call<Vehicle> {
    return this.requests.send({ method: "PUT", path: `/api/vehicles/${encodeURIComponent(id)}`, body }, options);
  }

  /** Delete a vehicle and its images. Needs `vehicles:delete`. For a bound key, records of other dealers answer 403. */
  remove(id: number, options?: VersionedOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/vehicles/${encodeURIComponent(id)}` }, options);
  }

  /** Change or remove up to 1000 vehicles. Each vehicle succeeds or fails independently. Changes need `vehicles:write`, removals need `vehicles:delete`, and a filter also needs `vehicles:read`. Vehicles that the key cannot access are `not_found`. Records that the caller cannot see answer 404. */
  bulk(body: BulkChange, options?: ChangeOptions): Call<BulkResults> {
    return this.requests.send({ method: "POST", path: "/api/vehicles/bulk", body }, options);
  }

  /** Create or change up to 500 vehicles. The vehicles of items are found by VIN or stock number, as in an import. If an item has no vehicle yet, it is created. Each item succeeds or fails independently; 100 items are one transaction. An item that changes nothing is `unchanged`. Needs `vehicles:write`. For a bound key, the dealer is always the key's. */
  batch(body: VehicleBatch, options?: ChangeOptions): Call<BatchResults> {
    return this.requests.send({ method: "POST", path: "/api/vehicles/batch", body }, options);
  }

  /** Export vehicles as a file. All vehicles that the list finds with the same filters, newest first, as they were when the export began. The first line of a table has the names of the columns: those that an import accepts, `id` and `created_at`, and `dealer_id` for callers that are not bound to a dealer. In `ndjson`, each line is a vehicle as the API answers it. Both have `images`, the addresses of the vehicle's images separated by spaces. Importing an exported file changes nothing. In `xlsx`, the table is the sheet of a workbook: texts are texts and never calculated, dates are dates, and the heading is frozen. It has at most 1 048 575 vehicles, and an empty cell for images that take more than 32 767 characters. A caller can have one export at a time. The connection is closed before the end of the file after 15 minutes, if the caller loses the right to the export, or if the file is read at less than 64 KiB a second after 30 seconds of waiting. Needs `vehicles:read`. A bound key gets only its dealer's records. */
  export(query: ExportVehiclesOptions = {}, options?: CallOptions): Call<Response> {
    return this.requests.file({ method: "GET", path: "/api/vehicles/export", query }, options);
  }

  /** Count vehicles by the values of their fields. Each facet is counted with all filters except its own, and its most frequent value comes first. A key that is bound to a dealer counts only that dealer's vehicles. Needs `vehicles:read`. A bound key gets only its dealer's records. */
  facets(query: CountVehiclesByFacetsOptions = {}, options?: CallOptions): Call<VehicleFacets> {
    return this.requests.send({ method: "GET", path: "/api/vehicles/facets", query }, options);
  }

  /** Check the listing of a vehicle. Says what keeps the vehicle out of feeds and what makes its listing worse, in words for dealers. The vehicle is compared with other vehicles of the same dealer. Needs `vehicles:read`. For a bound key, records of other dealers answer 403. */
  readiness(id: number, options?: CallOptions): Call<VehicleReadiness> {
    return this.requests.send({ method: "GET", path: `/api/vehicles/${encodeURIComponent(id)}/readiness` }, options);
  }

  /** Rate the listings of vehicles. Rates the listings of all vehicles that are not sold by the service's own rules. Each vehicle is compared with the others of its dealer. For a bound key, `dealer_id` is replaced by the key's dealer. Needs `vehicles:read`. A bound key gets only its dealer's records. */
  quality(query: GetQualityOptions = {}, options?: CallOptions): Call<Quality> {
    return this.requests.send({ method: "GET", path: "/api/quality", query }, options);
  }

  /** Read the history of a vehicle. Changes of the price, status, stage, mileage and dealer. A bound key sees nothing from the time when the vehicle belonged to another dealer. Needs `vehicles:read`. For a bound key, records of other dealers answer 403. */
  history(id: number, query: GetVehicleHistoryOptions = {}, options?: CallOptions): List<VehicleChange, VehicleHistory> {
    return this.requests.list({ method: "GET", path: `/api/vehicles/${encodeURIComponent(id)}/history`, query, items: "changes" }, options);
  }

  /** Read the sale of a vehicle. `sold_price` is `null` until somebody enters one. It is in no list, event or export. Needs `vehicles:write`. For a bound key, records of other dealers answer 403. */
  sale(id: number, options?: CallOptions): Call<Sale> {
    return this.requests.send({ method: "GET", path: `/api/vehicles/${encodeURIComponent(id)}/sale` }, options);
  }

  /** Change the sale of a vehicle. Needs `vehicles:write`. For a bound key, records of other dealers answer 403. */
  updateSale(id: number, body: SaleChanges, options?: ChangeOptions): Call<Sale> {
    return this.requests.send({ method: "PUT", path: `/api/vehicles/${encodeURIComponent(id)}/sale`, body }, options);
  }

  /** List the corrections of a vehicle. The values of the vehicle that are not those of the last file that named it. Imports leave them as long as the file does not change them; then the owner of the field decides. Needs `vehicles:write`. For a bound key, records of other dealers answer 403. */
  corrections(id: number, query: ListCorrectionsOptions = {}, options?: CallOptions): List<Correction, Corrections> {
    return this.requests.list({ method: "GET", path: `/api/vehicles/${encodeURIComponent(id)}/corrections`, query, items: "data" }, options);
  }

  /** Take the file's value of a field. Gives the vehicle the value of the last file. From then on, imports change the field again. If the vehicle has that value, nothing is changed. Needs `vehicles:write`. For a bound key, records of other dealers answer 403. */
  removeCorrection(place: { readonly id: number; readonly field: "make" | "model" | "year" | "price" | "title" | "trim" | "mileage" | "exterior_color" | "interior_color" | "vin" | "stock_number" | "description" | "features" | "status" | "featured" | "fuel_type" | "transmission" | "engine" | "drivetrain" | "body_style" | "condition" | "seats" | "doors" | "owners" | "date_first_registered" | "warranty" | "msrp" | "electric_range" | "battery_capacity" | "charge_port" | "fuel_consumption" | "energy_consumption" | "co2_emissions" | "emissions_standard" | "stage" | "listed_at" | "sold_at" | "publish" | "images" }, options?: ChangeOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/vehicles/${encodeURIComponent(place.id)}/corrections/${encodeURIComponent(place.field)}` }, options);
  }

  /** Read what would sell a vehicle. From the dealer's own sales: how long similar vehicles took at its price, and at the `price` that is asked about. `null` if fewer than three were sold within 15 percent of it. What they were sold for is in it, so it needs `vehicles:write`. Needs `vehicles:write`. For a bound key, records of other dealers answer 403. */
  advice(id: number, query: GetVehicleAdviceOptions = {}, options?: CallOptions): Call<Advice> {
    return this.requests.send({ method: "GET", path: `/api/vehicles/${encodeURIComponent(id)}/advice`, query }, options);
  }

  /** Suggest completions of the last word. Makes, models, stock numbers and VINs of the vehicles that match the earlier words, the most frequent first. A key that is bound to a dealer gets only that dealer's. Needs `vehicles:read`. A bound key gets only its dealer's records. */
  suggestions(query: SuggestVehicleWordsOptions = {}, options?: CallOptions): Call<Suggestion[]> {
    return this.requests.send({ method: "GET", path: "/api/vehicles/suggestions", query }, options);
  }

  /** Decode a VIN. Allowed for every key. Decodes the vehicle identification number itself, without reading vehicles or asking other services. */
  decodeVin(vin: string, options?: CallOptions): Call<DecodedVin> {
    return this.requests.send({ method: "GET", path: `/api/vin/${encodeURIComponent(vin)}` }, options);
  }
}

/** The operations on `removed`. */
export class RemovedOperations {
  constructor(protected readonly requests: Requests) {}

  /** List removed vehicles. The vehicles that can be restored, the last removed first. A key that is bound to a dealer sees only that dealer's vehicles. Needs `vehicles:delete`. A bound key gets only its dealer's records. */
  list(query: ListRemovedVehiclesOptions = {}, options?: CallOptions): List<RemovedVehicle, RemovedVehiclePage> {
    return this.requests.list({ method: "GET", path: "/api/vehicles/removed", query, items: "vehicles" }, options);
  }

  /** Restore a removed vehicle. Restores the vehicle with its id, fields, images and history, within 30 days of its removal. Needs `vehicles:delete`. Records that the caller cannot see answer 404. */
  restore(id: number, options?: ChangeOptions): Call<Vehicle> {
    return this.requests.send({ method: "POST", path: `/api/vehicles/removed/${encodeURIComponent(id)}/restore` }, options);
  }

  /** Remove a removed vehicle for good. Needs `vehicles:delete`. Records that the caller cannot see answer 404. */
  purge(id: number, options?: ChangeOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/vehicles/removed/${encodeURIComponent(id)}` }, options);
  }
}

/** The operations on `recentChanges`. */
export class RecentChangesOperations {
  constructor(protected readonly requests: Requests) {}

  /** List the changes of the last 30 days. Bulk changes, imports, batches and changes in the portal, newest first. A key that is bound to a dealer sees only changes of that dealer's vehicles, and counts only those. Needs `vehicles:write`. A bound key gets only its dealer's records. */
  list(query: ListRecentChangesOptions = {}, options?: CallOptions): List<RecentChange, RecentChangePage> {
    return this.requests.list({ method: "GET", path: "/api/recent-changes", query, items: "data" }, options);
  }

  /** Revert a change. Of each vehicle, the fields that are still as the change left them, and that nobody changed since, get their old values; the others stay as they are (`changed_since`). The change and its reversal stay in the audit log and in the history, and count in no previous price, price drop, discount or report. A second reversal changes nothing. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  revert(id: string, query: RevertChangeOptions = {}, options?: ChangeOptions): Call<RevertResults> {
    return this.requests.send({ method: "POST", path: `/api/recent-changes/${encodeURIComponent(id)}/revert`, query }, options);
  }
}

/** The operations on `scheduledChanges`. */
export class ScheduledChangesOperations {
  constructor(protected readonly requests: Requests) {}

  /** List scheduled changes. Newest first. A key that is bound to a dealer sees only that dealer's. What has ended is kept for 30 days, and the last 200 of a dealer. Needs `vehicles:write`. A bound key gets only its dealer's records. */
  list(query: ListScheduledChangesOptions = {}, options?: CallOptions): List<ScheduledChange, ScheduledChangePage> {
    return this.requests.list({ method: "GET", path: "/api/scheduled-changes", query, items: "data" }, options);
  }

  /** Schedule a change of prices or statuses. At that time the vehicles are changed in the name of the caller, each as by a PUT. It is dropped for a vehicle that was changed, removed or moved meanwhile, and wholly if the caller may not change the vehicles any more. A dealer has up to 100 that are not made yet. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  create(body: NewScheduledChange, options?: ChangeOptions): Call<ScheduledChangeWithVehicles> {
    return this.requests.send({ method: "POST", path: "/api/scheduled-changes", body }, options);
  }

  /** Read a scheduled change. With its vehicles and what became of each. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  get(id: number, options?: CallOptions): Call<ScheduledChangeWithVehicles> {
    return this.requests.send({ method: "GET", path: `/api/scheduled-changes/${encodeURIComponent(id)}` }, options);
  }

  /** Cancel a scheduled change. Until it begins. It stays in the list as `cancelled`. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  cancel(id: number, options?: ChangeOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/scheduled-changes/${encodeURIComponent(id)}` }, options);
  }
}

/** The operations on `changes`. */
export class ChangesOperations {
  constructor(protected readonly requests: Requests) {}

  /** Read what a copy of the inventory must do. The state of records, not events: each record at most once a page, as it is now. Without `after`, the whole inventory comes first, page by page, and then what changed meanwhile: ask again with `next` for ever. A bound key reads its dealer's records; a vehicle that moves to another dealer is a `remove` for the one and an `upsert` for the other. A moved or restored vehicle comes with its images. A deactivated dealer is a `remove`; its vehicles stay. Removals are known for 30 days: then a cursor is `cursor_expired`, and the copy begins anew. Needs `vehicles:read`. A bound key gets only its dealer's records. */
  page(query: ListChangesOptions = {}, options?: CallOptions): Call<ChangePage> {
    return this.requests.send({ method: "GET", path: "/api/changes", query }, options);
  }

  /** Follow what a copy of the inventory must do. The same as Server-Sent Events: each change is an event, and its `id` the cursor behind it. `Last-Event-ID`, or else `after`, says where to go on. A comment comes every 15 seconds. With `after=now`, an `event: begin` comes first, whose `id` is where the stream begins. An `event: reset` says that the cursor has expired: empty the copy, for the whole inventory follows. The stream ends within a second when the key's rights change. A key may have 5 streams open, the keys and users of one dealer together 300, and all together 500. Needs `vehicles:read`. A bound key gets only its dealer's records. */
  stream(query: StreamChangesOptions = {}, options?: CallOptions): Call<Response> {
    return this.requests.file({ method: "GET", path: "/api/changes/stream", query }, options);
  }
}

/** The operations on `images`. */
export class ImagesOperations {
  constructor(protected readonly requests: Requests) {}

  /** List a vehicle's images. Ordered by display order, then by id. Needs `vehicles:read`. For a bound key, records of other dealers answer 403. */
  list(id: number, query: ListImagesOptions = {}, options?: CallOptions): List<Image, Image[]> {
    return this.requests.list({ method: "GET", path: `/api/vehicles/${encodeURIComponent(id)}/images`, query, items: null }, options);
  }

  /** Add an image to a vehicle. If the new image is primary, the previous primary image no longer is. If the vehicle has an image with this `image_url` already, that image gets the `is_primary`, `display_order` and `alt` that were sent, and is answered with 200. A photo may be sent instead of JSON: as the body, or as the part `file` of a form with the other fields beside it. The service holds it and delivers it in four variants. The same photo sent twice to a vehicle is answered with 200. Needs `vehicles:write`. For a bound key, records of other dealers answer 403. */
  add(id: number, body: NewImage, options?: ChangeOptions): Call<Image> {
    return this.requests.send({ method: "POST", path: `/api/vehicles/${encodeURIComponent(id)}/images`, body }, options);
  }

  /** Reorder a vehicle's images. Needs `vehicles:write`. For a bound key, records of other dealers answer 403. */
  reorder(id: number, body: ImageOrder, options?: ChangeOptions): Call<Image[]> {
    return this.requests.send({ method: "PUT", path: `/api/vehicles/${encodeURIComponent(id)}/images`, body }, options);
  }

  /** Change fields of an image. Needs `vehicles:write`. For a bound key, records of other dealers answer 403. */
  update(place: { readonly id: number; readonly imageId: number }, body: ImageChanges, options?: ChangeOptions): Call<Image> {
    return this.requests.send({ method: "PUT", path: `/api/vehicles/${encodeURIComponent(place.id)}/images/${encodeURIComponent(place.imageId)}`, body }, options);
  }

  /** Remove an image. If the primary image is removed, the first of the remaining images becomes primary. Needs `vehicles:write`. For a bound key, records of other dealers answer 403. */
  remove(place: { readonly id: number; readonly imageId: number }, options?: ChangeOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/vehicles/${encodeURIComponent(place.id)}/images/${encodeURIComponent(place.imageId)}` }, options);
  }
}

/** The operations on `imports`. */
export class ImportsOperations {
  constructor(protected readonly requests: Requests) {}

  /** List imports. Newest first. A key that is bound to a dealer sees only that dealer's imports. Needs `vehicles:write`. A bound key gets only its dealer's records. */
  list(query: ListImportsOptions = {}, options?: CallOptions): List<Import, ImportPage> {
    return this.requests.list({ method: "GET", path: "/api/imports", query, items: "data" }, options);
  }

  /** Read an import. Includes the progress. While the import waits or runs, `Retry-After` says when to read it again. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  get(id: number, options?: CallOptions): Call<Import> {
    return this.requests.send({ method: "GET", path: `/api/imports/${encodeURIComponent(id)}` }, options);
  }

  /** Delete an import. Deletes an import that has ended, with its file and its rows. Vehicles stay unchanged. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  remove(id: number, options?: ChangeOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/imports/${encodeURIComponent(id)}` }, options);
  }

  /** List the results of the rows. In the order of the file. Kept for 30 days. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  rows(id: number, query: ListImportRowsOptions = {}, options?: CallOptions): List<ImportRow, ImportRowPage> {
    return this.requests.list({ method: "GET", path: `/api/imports/${encodeURIComponent(id)}/rows`, query, items: "data" }, options);
  }

  /** Export the failed rows. The file has the original columns, `import_line` and `import_error`. It can be corrected and imported again as it is: an import of a file with these two columns takes the apostrophes before formulas away. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  errorsFile(id: number, query: ExportImportErrorsOptions = {}, options?: CallOptions): Call<Response> {
    return this.requests.file({ method: "GET", path: `/api/imports/${encodeURIComponent(id)}/errors.csv`, query }, options);
  }

  /** Run an import that was checked or stopped. After a dry run, imports the same bytes that were checked. An import that was stopped continues after its last batch. The changes are made in the name of the caller of this operation. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  start(id: number, options?: ChangeOptions): Call<Import> {
    return this.requests.send({ method: "POST", path: `/api/imports/${encodeURIComponent(id)}/run` }, options);
  }

  /** Confirm the missing vehicles of a snapshot. Send the number of missing vehicles that the import reports. They are counted again; if the number differs, the answer is 409 and nothing is changed. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  confirm(id: number, body: ImportConfirmation, options?: ChangeOptions): Call<Import> {
    return this.requests.send({ method: "POST", path: `/api/imports/${encodeURIComponent(id)}/confirm`, body }, options);
  }

  /** Stop an import. Stops after the present batch of rows. Changes that were made stay. An import that has ended stays unchanged. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  cancel(id: number, options?: ChangeOptions): Call<Import> {
    return this.requests.send({ method: "POST", path: `/api/imports/${encodeURIComponent(id)}/cancel` }, options);
  }

  /** Mend up to 100 failed rows. Reads failed rows again, as the file was read, with other cells in some columns. Each row succeeds or fails by itself. Rows that succeed become a part of the import: its counts and its change. Rows that still fail keep the new cells. Values that people corrected meanwhile are replaced. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  mend(id: number, body: ImportMending, options?: ChangeOptions): Call<MendingResults> {
    return this.requests.send({ method: "POST", path: `/api/imports/${encodeURIComponent(id)}/mend`, body }, options);
  }
}

/** The operations on `importMappings`. */
export class ImportMappingsOperations {
  constructor(protected readonly requests: Requests) {}

  /** Create a mapping of columns. A named mapping for the files of one dealer: what their columns contain, and what their words mean. An import uses it with the option `mapping`. Needs `vehicles:write`. For a bound key, the dealer is always the key's. */
  create(body: NewImportMapping, options?: ChangeOptions): Call<ImportMapping> {
    return this.requests.send({ method: "POST", path: "/api/import-mappings", body }, options);
  }

  /** List mappings. Newest first. A key that is bound to a dealer sees only that dealer's mappings. Needs `vehicles:write`. A bound key gets only its dealer's records. */
  list(query: ListImportMappingsOptions = {}, options?: CallOptions): List<ImportMapping, ImportMappingPage> {
    return this.requests.list({ method: "GET", path: "/api/import-mappings", query, items: "data" }, options);
  }

  /** Read a mapping. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  get(id: number, options?: CallOptions): Call<ImportMapping> {
    return this.requests.send({ method: "GET", path: `/api/import-mappings/${encodeURIComponent(id)}` }, options);
  }

  /** Change a mapping. Fields that are not sent stay unchanged. `columns` and `values` are each replaced as a whole. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  update(id: number, body: ImportMappingChanges, options?: ChangeOptions): Call<ImportMapping> {
    return this.requests.send({ method: "PUT", path: `/api/import-mappings/${encodeURIComponent(id)}`, body }, options);
  }

  /** Delete a mapping. Imports that used the mapping stay unchanged. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  remove(id: number, options?: ChangeOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/import-mappings/${encodeURIComponent(id)}` }, options);
  }
}

/** The operations on `importSources`. */
export class ImportSourcesOperations {
  constructor(protected readonly requests: Requests) {}

  /** List import sources. Newest first. A key that is bound to a dealer sees only that dealer's sources. Needs `vehicles:write`. A bound key gets only its dealer's records. */
  list(query: ListImportSourcesOptions = {}, options?: CallOptions): List<ImportSource, ImportSourcePage> {
    return this.requests.list({ method: "GET", path: "/api/import-sources", query, items: "data" }, options);
  }

  /** Create an import source. A file that is fetched on a schedule and imported. The imports are made in the name of the caller who changed the source last. Credentials are stored encrypted and never answered. Needs `vehicles:write`. For a bound key, the dealer is always the key's. */
  create(body: NewImportSource, options?: ChangeOptions): Call<ImportSource> {
    return this.requests.send({ method: "POST", path: "/api/import-sources", body }, options);
  }

  /** Read an import source. Includes the results of the last runs. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  get(id: number, options?: CallOptions): Call<ImportSource> {
    return this.requests.send({ method: "GET", path: `/api/import-sources/${encodeURIComponent(id)}` }, options);
  }

  /** Change an import source. Changes only the fields that are sent. From then on, imports are made in the name of the caller. If the host of the address changes, `auth` must be sent again. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  update(id: number, body: ImportSourceChanges, options?: ChangeOptions): Call<ImportSource> {
    return this.requests.send({ method: "PUT", path: `/api/import-sources/${encodeURIComponent(id)}`, body }, options);
  }

  /** Delete an import source. Imports of its files stay. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  remove(id: number, options?: ChangeOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/import-sources/${encodeURIComponent(id)}` }, options);
  }

  /** Fetch an import source now. The file is fetched in the background, even if the source is not active. Afterwards, the result is the first of `runs`. Needs `vehicles:write`. Records that the caller cannot see answer 404. */
  run(id: number, options?: ChangeOptions): Call<ImportSource> {
    return this.requests.send({ method: "POST", path: `/api/import-sources/${encodeURIComponent(id)}/run` }, options);
  }
}

/** The operations on `feeds`. */
export class FeedsOperations {
  constructor(protected readonly requests: Requests) {}

  /** Create a feed. Creates a file of vehicles that a channel fetches. Its address contains a token, and is shown only in this answer. The feed is served as long as its creator may read the vehicles, or whoever changes it or its address later. For a bound key, `dealer_ids` is replaced by the key's dealer. Needs `feeds:write` and `vehicles:read`. For a bound key, the dealer is always the key's. */
  create(body: NewFeed, options?: ChangeOptions): Call<ShownFeed> {
    return this.requests.send({ method: "POST", path: "/api/feeds", body }, options);
  }

  /** List feeds. Newest first. A key that is bound to a dealer sees only that dealer's feeds. Needs `feeds:read`. A bound key gets only its dealer's records. */
  list(query: ListFeedsOptions = {}, options?: CallOptions): List<Feed, FeedPage> {
    return this.requests.list({ method: "GET", path: "/api/feeds", query, items: "data" }, options);
  }

  /** Read a feed. Includes the latest fetches. Each fetch also makes a new version of the feed. Needs `feeds:read`. Records that the caller cannot see answer 404. */
  get(id: number, options?: CallOptions): Call<Feed> {
    return this.requests.send({ method: "GET", path: `/api/feeds/${encodeURIComponent(id)}` }, options);
  }

  /** Change fields of a feed. Whoever changes more than the name becomes responsible for the feed: it is served as long as they may read its vehicles. A feed that a super-admin switched off can be switched on only by super-admins. `If-Match` accepts the version of the last change and those of later fetches. Needs `feeds:write` and `vehicles:read`. Records that the caller cannot see answer 404. */
  update(id: number, body: FeedChanges, options?: VersionedOptions): Call<Feed> {
    return this.requests.send({ method: "PUT", path: `/api/feeds/${encodeURIComponent(id)}`, body }, options);
  }

  /** Delete a feed. The address of the feed answers 410 from then on. Needs `feeds:delete`. Records that the caller cannot see answer 404. */
  remove(id: number, options?: VersionedOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/feeds/${encodeURIComponent(id)}` }, options);
  }

  /** Give a feed a new address. The previous address works until the grace period ends. Older addresses end at once. The caller becomes responsible for the feed, as after a change. Needs `feeds:write` and `vehicles:read`. Records that the caller cannot see answer 404. */
  rotate(id: number, body: FeedRotation = {}, options?: ChangeOptions): Call<ShownFeed> {
    return this.requests.send({ method: "POST", path: `/api/feeds/${encodeURIComponent(id)}/rotate`, body }, options);
  }

  /** Release a held feed. The feed is served again with its present vehicles. A feed that is not held stays unchanged. Needs `feeds:write`. Records that the caller cannot see answer 404. */
  release(id: number, options?: ChangeOptions): Call<Feed> {
    return this.requests.send({ method: "POST", path: `/api/feeds/${encodeURIComponent(id)}/release` }, options);
  }

  /** Preview a feed. Returns the first rows that the channel would get now. This does not count as a fetch. Needs `feeds:read` and `vehicles:read`. Records that the caller cannot see answer 404. */
  preview(id: number, query: PreviewFeedOptions = {}, options?: CallOptions): Call<FeedPreview> {
    return this.requests.send({ method: "GET", path: `/api/feeds/${encodeURIComponent(id)}/preview`, query }, options);
  }

  /** Read whether a feed's vehicles are ready. Applies the same rules that leave vehicles out of the file. For a feed with very many vehicles, the answer is 503. Needs `feeds:read`. Records that the caller cannot see answer 404. */
  readiness(id: number, options?: CallOptions): Call<ReadinessOfFeed> {
    return this.requests.send({ method: "GET", path: `/api/feeds/${encodeURIComponent(id)}/readiness` }, options);
  }

  /** List the vehicles of a feed that have problems. Newest first, each with all its problems. Needs `feeds:read` and `vehicles:read`. Records that the caller cannot see answer 404. */
  findings(id: number, query: ListFeedFindingsOptions = {}, options?: CallOptions): List<FeedFinding, FeedFindingPage> {
    return this.requests.list({ method: "GET", path: `/api/feeds/${encodeURIComponent(id)}/readiness/vehicles`, query, items: "data" }, options);
  }
}

/** The operations on `webhooks`. */
export class WebhooksOperations {
  constructor(protected readonly requests: Requests) {}

  /** Create a webhook. An address that is told of changes, each by a signed POST as Standard Webhooks says. It is told of what the caller may read, until somebody else changes the webhook. The secret is shown only in this answer. Needs `webhooks:write` and `vehicles:read`. For a bound key, the dealer is always the key's. */
  create(body: NewWebhook, options?: ChangeOptions): Call<WebhookWithSecret> {
    return this.requests.send({ method: "POST", path: "/api/webhooks", body }, options);
  }

  /** List webhooks. Newest first. A key that is bound to a dealer sees only that dealer's webhooks. Needs `webhooks:read`. A bound key gets only its dealer's records. */
  list(query: ListWebhooksOptions = {}, options?: CallOptions): List<Webhook, WebhookPage> {
    return this.requests.list({ method: "GET", path: "/api/webhooks", query, items: "data" }, options);
  }

  /** Read a webhook. Needs `webhooks:read`. Records that the caller cannot see answer 404. */
  get(id: number, options?: CallOptions): Call<Webhook> {
    return this.requests.send({ method: "GET", path: `/api/webhooks/${encodeURIComponent(id)}` }, options);
  }

  /** Change fields of a webhook. Changes only the fields that are sent. From then on, the webhook is told of what the caller may read. What waited while it was off is sent when it is switched on. Needs `webhooks:write` and `vehicles:read`. Records that the caller cannot see answer 404. */
  update(id: number, body: WebhookChanges, options?: ChangeOptions): Call<Webhook> {
    return this.requests.send({ method: "PUT", path: `/api/webhooks/${encodeURIComponent(id)}`, body }, options);
  }

  /** Delete a webhook. What waits is not sent. Needs `webhooks:delete`. Records that the caller cannot see answer 404. */
  remove(id: number, options?: ChangeOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/webhooks/${encodeURIComponent(id)}` }, options);
  }

  /** Give a webhook a new secret. The new secret is shown only in this answer. The one before signs along for `grace_seconds`, a day if nothing is said: each message then has two signatures. Needs `webhooks:write` and `vehicles:read`. Records that the caller cannot see answer 404. */
  rotateSecret(id: number, body: WebhookSecretRotation = {}, options?: ChangeOptions): Call<WebhookWithSecret> {
    return this.requests.send({ method: "POST", path: `/api/webhooks/${encodeURIComponent(id)}/rotate-secret`, body }, options);
  }

  /** Switch a webhook on again. Forgets that it failed. What waits is sent; see also `recover`. Needs `webhooks:write` and `vehicles:read`. Records that the caller cannot see answer 404. */
  enable(id: number, options?: ChangeOptions): Call<Webhook> {
    return this.requests.send({ method: "POST", path: `/api/webhooks/${encodeURIComponent(id)}/enable` }, options);
  }

  /** Send a test message. Sends a message of the type `webhook.test`. Its deliveries tell what the receiver answered. Needs `webhooks:write`. Records that the caller cannot see answer 404. */
  test(id: number, options?: ChangeOptions): Call<WebhookDelivery> {
    return this.requests.send({ method: "POST", path: `/api/webhooks/${encodeURIComponent(id)}/test` }, options);
  }

  /** Send what was missed. Sends again the messages that failed since a time, and sends changes since then that were not sent, such as those while the webhook was off. A receiver may get some of them twice, with the same `version`. Needs `webhooks:write` and `vehicles:read`. Records that the caller cannot see answer 404. */
  recover(id: number, body: WebhookRecoveryRequest, options?: ChangeOptions): Call<WebhookRecovery> {
    return this.requests.send({ method: "POST", path: `/api/webhooks/${encodeURIComponent(id)}/recover`, body }, options);
  }

  /** List the messages of a webhook. Newest first, of the last 30 days, with the tries to send each. Needs `webhooks:read`. Records that the caller cannot see answer 404. */
  deliveries(id: number, query: ListWebhookDeliveriesOptions = {}, options?: CallOptions): List<WebhookDelivery, WebhookDeliveryPage> {
    return this.requests.list({ method: "GET", path: `/api/webhooks/${encodeURIComponent(id)}/deliveries`, query, items: "data" }, options);
  }

  /** Send one message again. Sends it with the same `webhook-id` and body. Needs `webhooks:write` and `vehicles:read`. Records that the caller cannot see answer 404. */
  redeliver(place: { readonly id: number; readonly deliveryId: number }, options?: ChangeOptions): Call<WebhookDelivery> {
    return this.requests.send({ method: "POST", path: `/api/webhooks/${encodeURIComponent(place.id)}/deliveries/${encodeURIComponent(place.deliveryId)}/redeliver` }, options);
  }
}

/** The operations on `dealers`. */
export class DealersOperations {
  constructor(protected readonly requests: Requests) {}

  /** List dealers. Newest first. A key that is bound to a dealer sees only that dealer. Long fields are left out if they are unset. Needs `dealers:read`. A bound key gets only its dealer's records. */
  list(query: ListDealersOptions = {}, options?: CallOptions): List<ListedDealer, ListedDealer[]> {
    return this.requests.list({ method: "GET", path: "/api/dealers", query, items: null }, options);
  }

  /** Create a dealer. Not allowed for keys that are bound to a dealer. Needs `dealers:write`. Keys that are bound to a dealer get 403. */
  create(body: NewDealer, options?: ChangeOptions): Call<Dealer> {
    return this.requests.send({ method: "POST", path: "/api/dealers", body }, options);
  }

  /** Read a dealer. Needs `dealers:read`. For a bound key, records of other dealers answer 403. */
  get(id: number, options?: CallOptions): Call<Dealer> {
    return this.requests.send({ method: "GET", path: `/api/dealers/${encodeURIComponent(id)}` }, options);
  }

  /** Change fields of a dealer. A bound key may change its own dealer, except `active`, `codes` and `rate_limit`. Needs `dealers:write`. For a bound key, records of other dealers answer 403. */
  update(id: number, body: DealerChanges, options?: VersionedOptions): Call<Dealer> {
    return this.requests.send({ method: "PUT", path: `/api/dealers/${encodeURIComponent(id)}`, body }, options);
  }

  /** Deactivate a dealer. Sets `active` to 0. The dealer, its keys and its vehicles stay. Needs `dealers:delete`. Keys that are bound to a dealer get 403. */
  deactivate(id: number, options?: VersionedOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/dealers/${encodeURIComponent(id)}` }, options);
  }

  /** List a dealer's inventory. Needs `vehicles:read`. For a bound key, records of other dealers answer 403. */
  vehicles(id: number, query: ListDealerVehiclesOptions = {}, options?: CallOptions): List<Vehicle, InventoryPage> {
    return this.requests.list({ method: "GET", path: `/api/dealers/${encodeURIComponent(id)}/vehicles`, query, items: "vehicles" }, options);
  }

  /** Read a dealer's statistics. Needs `dealers:read`. For a bound key, records of other dealers answer 403. */
  statistics(id: number, options?: CallOptions): Call<DealerStatistics> {
    return this.requests.send({ method: "GET", path: `/api/dealers/${encodeURIComponent(id)}/stats` }, options);
  }

  /** Report what a dealer added and sold. Covers at most 400 days, in UTC. Vehicles count for the dealer that had them at the time, even if they were removed later. Needs `dealers:read`. For a bound key, records of other dealers answer 403. */
  report(id: number, query: GetDealerReportOptions = {}, options?: CallOptions): Call<Report> {
    return this.requests.send({ method: "GET", path: `/api/dealers/${encodeURIComponent(id)}/report`, query }, options);
  }

  /** Read what a dealer looks at in the morning. The lot, what became of it, and what to do next, in one answer. Days and months are in UTC. Needs `dealers:read` and `vehicles:read`. For a bound key, records of other dealers answer 403. */
  today(id: number, options?: CallOptions): Call<Today> {
    return this.requests.send({ method: "GET", path: `/api/dealers/${encodeURIComponent(id)}/today` }, options);
  }
}

/** The operations on `reports`. */
export class ReportsOperations {
  constructor(protected readonly requests: Requests) {}

  /** Report what all dealers added and sold. Covers at most 400 days, in UTC. Vehicles count for the dealer that had them at the time, even if they were removed later. A key that is bound to a dealer sees only that dealer. Needs `dealers:read`. A bound key gets only its dealer's records. */
  get(query: GetReportOptions = {}, options?: CallOptions): Call<OverallReport> {
    return this.requests.send({ method: "GET", path: "/api/report", query }, options);
  }
}

/** The operations on `keys`. */
export class KeysOperations {
  constructor(protected readonly requests: Requests) {}

  /** List keys. Newest first. Super-admins see all keys, the admins and keys of a dealer see those of the dealer, and other users see their own. Needs `keys:read`. Records that the caller cannot see answer 404. */
  list(query: ListApiKeysOptions = {}, options?: CallOptions): List<ApiKey, ApiKey[]> {
    return this.requests.list({ method: "GET", path: "/api/keys", query, items: null }, options);
  }

  /** Create a key. The secret is shown only in this answer. A key that a bound caller creates is bound to the caller's dealer. Needs `keys:write`. For a bound key, the dealer is always the key's. */
  create(body: NewApiKey, options?: ChangeOptions): Call<ApiKeyWithSecret> {
    return this.requests.send({ method: "POST", path: "/api/keys", body }, options);
  }

  /** Export keys as a file. All records that the list finds with the same filters, newest first, as they were when the export began. `X-Total-Count` is the number of records when the export was requested. The first line of a table has the names of the columns; missing values are empty. In `ndjson`, each line is a record as the list answers it. A caller can have one export at a time. The connection is closed before the end of the file after 15 minutes, if the caller loses the right to the export, or if the file is read at less than 64 KiB a second after 30 seconds of waiting. The file contains no secrets. In tables, `permissions` are separated by spaces. Needs `keys:read`. Records that the caller cannot see answer 404. */
  export(query: ExportApiKeysOptions = {}, options?: CallOptions): Call<Response> {
    return this.requests.file({ method: "GET", path: "/api/keys/export", query }, options);
  }

  /** Read a key. Needs `keys:read`. Records that the caller cannot see answer 404. */
  get(id: number, query: GetApiKeyOptions = {}, options?: CallOptions): Call<ApiKey> {
    return this.requests.send({ method: "GET", path: `/api/keys/${encodeURIComponent(id)}`, query }, options);
  }

  /** Change fields of a key. The key string itself cannot be changed. Everybody who knows it also gets the new rights of the key; to prevent that, `rotate` replaces it in the same transaction. Needs `keys:write`. Records that the caller cannot see answer 404. */
  update(id: number, body: ApiKeyChanges, options?: ChangeOptions): Call<ChangedApiKey> {
    return this.requests.send({ method: "PUT", path: `/api/keys/${encodeURIComponent(id)}`, body }, options);
  }

  /** Delete a key and its links. Needs `keys:delete`. Records that the caller cannot see answer 404. */
  remove(id: number, options?: ChangeOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/keys/${encodeURIComponent(id)}` }, options);
  }

  /** Revoke a key. Sets `active` to false. Revoking a key twice is no error. Needs `keys:write`. Records that the caller cannot see answer 404. */
  revoke(id: number, options?: ChangeOptions): Call<ApiKey> {
    return this.requests.send({ method: "POST", path: `/api/keys/${encodeURIComponent(id)}/revoke` }, options);
  }

  /** Give a key a new secret. The previous secret works until the grace period ends. Older secrets end at once. Needs `keys:write`. Records that the caller cannot see answer 404. */
  rotate(id: number, body: ApiKeyRotation = {}, options?: ChangeOptions): Call<ApiKeyWithSecret> {
    return this.requests.send({ method: "POST", path: `/api/keys/${encodeURIComponent(id)}/rotate`, body }, options);
  }

  /** End the old secret of a rotated key. Ends the grace period at once. If no old secret works, nothing changes, and that is no error. Needs `keys:write`. Records that the caller cannot see answer 404. */
  endGrace(id: number, options?: ChangeOptions): Call<ApiKey> {
    return this.requests.send({ method: "POST", path: `/api/keys/${encodeURIComponent(id)}/end-grace` }, options);
  }

  /** Add one permission. Needs `keys:write`. Records that the caller cannot see answer 404. */
  addPermission(place: { readonly id: number; readonly resource: "vehicles" | "dealers" | "keys" | "users" | "audit" | "feeds" | "webhooks"; readonly action: "read" | "write" | "delete" }, options?: ChangeOptions): Call<ApiKey> {
    return this.requests.send({ method: "PUT", path: `/api/keys/${encodeURIComponent(place.id)}/permissions/${encodeURIComponent(place.resource)}/${encodeURIComponent(place.action)}` }, options);
  }

  /** Remove one permission. Needs `keys:write`. Records that the caller cannot see answer 404. */
  removePermission(place: { readonly id: number; readonly resource: "vehicles" | "dealers" | "keys" | "users" | "audit" | "feeds" | "webhooks"; readonly action: "read" | "write" | "delete" }, options?: ChangeOptions): Call<ApiKey> {
    return this.requests.send({ method: "DELETE", path: `/api/keys/${encodeURIComponent(place.id)}/permissions/${encodeURIComponent(place.resource)}/${encodeURIComponent(place.action)}` }, options);
  }

  /** Read the usage of a key. The number of requests by hour and outcome, the refused ones by kind, the last use, and the latest refused requests. Usage is kept for 90 days, and is complete after up to 10 seconds. Needs `keys:read`. Records that the caller cannot see answer 404. */
  usage(id: number, query: GetApiKeyUsageOptions = {}, options?: CallOptions): Call<ApiKeyUsage> {
    return this.requests.send({ method: "GET", path: `/api/keys/${encodeURIComponent(id)}/usage`, query }, options);
  }

  /** Read the key that asks. Allowed for every key. The answer has the key without its secret, its dealer as a website prints it, its permissions, and what is left of its limit. The request counts for the limit. A bound key gets only its dealer's records. */
  me(options?: CallOptions): Call<Me> {
    return this.requests.send({ method: "GET", path: "/api/me" }, options);
  }
}

/** The operations on `users`. */
export class UsersOperations {
  constructor(protected readonly requests: Requests) {}

  /** List users. Newest first. A bound caller sees only its dealer's users. Needs `users:read`. Records that the caller cannot see answer 404. */
  list(query: ListUsersOptions = {}, options?: CallOptions): List<User, User[]> {
    return this.requests.list({ method: "GET", path: "/api/users", query, items: null }, options);
  }

  /** Create a user. The default permissions depend on the role. A user whom a bound caller creates belongs to the caller's dealer. Needs `users:write`. For a bound key, the dealer is always the key's. */
  create(body: NewUser, options?: ChangeOptions): Call<User> {
    return this.requests.send({ method: "POST", path: "/api/users", body }, options);
  }

  /** Read a user. Needs `users:read`. Records that the caller cannot see answer 404. */
  get(id: number, query: GetUserOptions = {}, options?: CallOptions): Call<User> {
    return this.requests.send({ method: "GET", path: `/api/users/${encodeURIComponent(id)}`, query }, options);
  }

  /** Change fields of a user. Everybody who knows the secret of one of the user's keys also gets the new rights of the user; to prevent that, `rotate_keys` replaces all secrets in the same transaction. Needs `users:write`. Records that the caller cannot see answer 404. */
  update(id: number, body: UserChanges, options?: ChangeOptions): Call<ChangedUser> {
    return this.requests.send({ method: "PUT", path: `/api/users/${encodeURIComponent(id)}`, body }, options);
  }

  /** Deactivate a user. The user's keys are refused from then on. Needs `users:delete`. Records that the caller cannot see answer 404. */
  deactivate(id: number, options?: ChangeOptions): Call<Done> {
    return this.requests.send({ method: "DELETE", path: `/api/users/${encodeURIComponent(id)}` }, options);
  }
}

/** The operations on `audit`. */
export class AuditOperations {
  constructor(protected readonly requests: Requests) {}

  /** List changes and denied requests. Newest first. The `Link` to the next page contains a cursor. Super-admins see all entries, bound callers those of their dealer, and other users those of their own actions and keys. Dealers see actors from outside as `operator`, and if a record moved to or from another dealer, they see only their side of the change. Needs `audit:read`. A bound key gets only its dealer's records. */
  list(query: ListAuditEntriesOptions = {}, options?: CallOptions): List<AuditEntry, AuditEntry[]> {
    return this.requests.list({ method: "GET", path: "/api/audit", query, items: null }, options);
  }

  /** Export changes and denied requests as a file. All records that the list finds with the same filters, newest first, as they were when the export began. `X-Total-Count` is the number of records when the export was requested. The first line of a table has the names of the columns; missing values are empty. In `ndjson`, each line is a record as the list answers it. A caller can have one export at a time. The connection is closed before the end of the file after 15 minutes, if the caller loses the right to the export, or if the file is read at less than 64 KiB a second after 30 seconds of waiting. In tables, `before` and `after` are JSON. Needs `audit:read`. A bound key gets only its dealer's records. */
  export(query: ExportAuditEntriesOptions = {}, options?: CallOptions): Call<Response> {
    return this.requests.file({ method: "GET", path: "/api/audit/export", query }, options);
  }
}

/** The operations on `settings`. */
export class SettingsOperations {
  constructor(protected readonly requests: Requests) {}

  /** Read the settings. Allowed for every key. The settings are the name and logo of the installation, its currency, distance unit and time zone. */
  get(options?: CallOptions): Call<Settings> {
    return this.requests.send({ method: "GET", path: "/api/settings" }, options);
  }

  /** Change the settings. Only for super-admins. Settings change how numbers are shown, but never a stored number. Needs `users:write`. Only super-admins are allowed; others get 403. */
  update(body: SettingsChanges, options?: VersionedOptions): Call<Settings> {
    return this.requests.send({ method: "PUT", path: "/api/settings", body }, options);
  }
}
