import { Changes } from "./changes.ts";
import { Images } from "./images.ts";
import { Imports } from "./imports.ts";
import {
  AuditOperations,
  DealersOperations,
  FeedsOperations,
  ImportMappingsOperations,
  ImportSourcesOperations,
  KeysOperations,
  RecentChangesOperations,
  RemovedOperations,
  ReportsOperations,
  ScheduledChangesOperations,
  SettingsOperations,
  UsersOperations,
  VehiclesOperations,
  WebhooksOperations,
} from "./made/resources.ts";
import type { InventoryOptions } from "./options.ts";
import { Requests } from "./requests.ts";

export type { Call, WithResponse } from "./call.ts";
export {
  Conflict,
  ConnectionLost,
  CursorExpired,
  type ErrorBody,
  Forbidden,
  InvalidInput,
  InventoryError,
  type Issue,
  KeyRefused,
  NotFound,
  PermissionMissing,
  PreconditionFailed,
  RateLimited,
  TimedOut,
  Unavailable,
} from "./errors.ts";
export type { FileFacts, Uploaded } from "./files.ts";
export type { CopyChange, CopyPage, Follow, FollowOptions, Reset, Step } from "./follow.ts";
export type { UploadOptions } from "./images.ts";
export { ImportFailed, type RunningImport, type RunOptions } from "./imports.ts";
export type { List, Page } from "./list.ts";
export type * from "./made/records.ts";
export type * from "./options.ts";
export type { ChangeStream, StreamStep } from "./stream.ts";

/** A client of a Vehicle Inventory Service: each resource of its API is a property. */
export class VehicleInventory {
  readonly vehicles: VehiclesOperations;
  readonly removed: RemovedOperations;
  readonly recentChanges: RecentChangesOperations;
  readonly scheduledChanges: ScheduledChangesOperations;
  readonly changes: Changes;
  readonly images: Images;
  readonly imports: Imports;
  readonly importMappings: ImportMappingsOperations;
  readonly importSources: ImportSourcesOperations;
  readonly feeds: FeedsOperations;
  readonly webhooks: WebhooksOperations;
  readonly dealers: DealersOperations;
  readonly reports: ReportsOperations;
  readonly keys: KeysOperations;
  readonly users: UsersOperations;
  readonly audit: AuditOperations;
  readonly settings: SettingsOperations;

  constructor(options: InventoryOptions) {
    const requests = new Requests(options);
    this.vehicles = new VehiclesOperations(requests);
    this.removed = new RemovedOperations(requests);
    this.recentChanges = new RecentChangesOperations(requests);
    this.scheduledChanges = new ScheduledChangesOperations(requests);
    this.changes = new Changes(requests);
    this.images = new Images(requests);
    this.imports = new Imports(requests);
    this.importMappings = new ImportMappingsOperations(requests);
    this.importSources = new ImportSourcesOperations(requests);
    this.feeds = new FeedsOperations(requests);
    this.webhooks = new WebhooksOperations(requests);
    this.dealers = new DealersOperations(requests);
    this.reports = new ReportsOperations(requests);
    this.keys = new KeysOperations(requests);
    this.users = new UsersOperations(requests);
    this.audit = new AuditOperations(requests);
    this.settings = new SettingsOperations(requests);
  }
}
