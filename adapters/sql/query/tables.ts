import type { Generated, Selectable } from "kysely";
import type { Association, Via } from "../../../core/access/principal.ts";
import type { Action, AuditedResource, FormerAction } from "../../../core/audit/actions.ts";
import type { ChangeKind } from "../../../core/changes/named-change.ts";
import type { ChannelName } from "../../../core/channels/titles.ts";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import type { HistoryField } from "../../../core/history/change.ts";
import type { StoredImage } from "../../../core/images/image.ts";
import type { RowOutcome, StoredImportState } from "../../../core/imports/import.ts";
import type { JobKind } from "../../../core/jobs/job.ts";
import type { AppType, Role } from "../../../core/permissions.ts";
import type { Figures } from "../../../core/report/figures.ts";
import type {
  DropReason,
  ScheduledOutcome,
  ScheduleReason,
  ScheduleState,
} from "../../../core/scheduled-changes/schedule.ts";
import type { Settings } from "../../../core/settings/installation.ts";
import type { InvitationKind } from "../../../core/sign-in/account-repository.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { SentEvent } from "../../../core/webhooks/event.ts";
import type { DeliveryState, DisabledReason } from "../../../core/webhooks/webhook.ts";

/** The fields of a record, except those that are stored in another form, and the columns that are not fields. */
type Columns<Fields, Own> = Omit<Fields, keyof Own> & Own;

/**
 * The tables as both engines store them: money in cents, timestamps as ISO 8601 text, booleans as 0 or 1. The types of
 * selected rows come from here, so that a record without one of its columns does not compile.
 */
export interface Tables {
  vehicles: Columns<
    Omit<Vehicle, "price" | "previous_price">,
    {
      id: Generated<number>;
      price_cents: number;
      previous_price_cents: number | null;
      /**
       * The time of the last change that the history records, and its actor as JSON. Both are valid only if the time
       * equals `updated_at`.
       */
      changed_at: string | null;
      changed_by: string | null;
      make_folded: string;
      model_folded: string;
      /**
       * The version with which the vehicle last came back from a sale that stands; `null` if it never did. The present
       * stay on the lot began then.
       */
      returned_at: string | null;
    }
  >;
  vehicle_images: Columns<StoredImage, { id: Generated<number>; is_primary: 0 | 1 }>;
  /** Photos that the service holds. */
  photos: {
    photo_id: string;
    /** The dealer that it counts for. */
    dealer_id: number;
    /** Of the file that was sent. */
    sha256: string;
    width: number;
    height: number;
    placeholder: string;
    /** Of all its files together. */
    bytes: number;
    /** JSON: the SHA-256 of each file by its name. */
    files: string;
    created_at: string;
    /** 1 from when nothing needs the photo until its files are removed. */
    gone: 0 | 1;
  };
  /** The part of photos' addresses that stands for a dealer. */
  photo_accounts: { dealer_id: number; account_hash: string };
  /** The photos that were fetched for dealers, by the SHA-256 of the addresses. */
  fetched_photos: { dealer_id: number; address_hash: string; photo_id: string };
  /** Photos that an image of a vehicle named until it was removed. `held` is 1 while the vehicle can be restored. */
  released_photos: { photo_id: string; vehicle_id: number; held: 0 | 1 };
  dealers: Columns<
    Dealer,
    {
      id: Generated<number>;
      /** JSON. */
      hours: string | null;
      /** JSON. */
      social_media: string | null;
      /** JSON; `dealer_codes` has them in folded form. */
      codes: string;
      city_folded: string;
      state_folded: string;
    }
  >;
  /** The codes of dealers in the form in which they are compared, each at one dealer only. */
  dealer_codes: { folded: string; dealer_id: number };
  /** Changes of vehicles. They are kept when the vehicle is removed. */
  vehicle_history: {
    vehicle_id: number;
    /** The vehicle's dealer; `null` if the change is a move between dealers. */
    dealer_id: number | null;
    at: string;
    field: HistoryField;
    /** Numbers are stored as text, prices in cents. */
    old_value: string | null;
    new_value: string | null;
    /** JSON; `null` if it was not recorded. */
    actor: string | null;
    /** Of a reverted change and its reversal, the reversal. Such pairs have no `dealer_id`, so that no figure counts them. */
    reverted_by: string | null;
    /** The vehicle's dealer, of such a pair. */
    pair_dealer_id: number | null;
  };
  /** The sales that ended because the vehicle was not sold any more. `at` is the version of the vehicle. */
  ended_sales: {
    vehicle_id: number;
    at: string;
    dealer_id: number;
    sold_at: string | null;
    sold_cents: number | null;
    first_cents: number | null;
    note: string | null;
  };
  /** The changes of the last 30 days, of each dealer whose vehicles they changed. */
  recent_changes: {
    id: string;
    dealer_id: number;
    kind: ChangeKind;
    at: string;
    /** JSON. */
    actor: string;
    /** The change that it reverts. */
    reverts: string | null;
    /** JSON: an object with the names of the changed fields. */
    fields: string;
    /** How many vehicles it changed, and how many of them in fields that can be reverted. */
    vehicles: number;
    revertible: number;
    /** The first of the vehicles. */
    vehicle_id: number;
    reverted_at: string | null;
    reverted_by: string | null;
  };
  /** The old values of vehicles with long texts, which audit entries do not keep as a whole. */
  replaced_values: {
    change_id: string;
    vehicle_id: number;
    /** JSON. */
    before: string;
  };
  /** It has one row if there were vehicles before the history began. */
  history_begin: { id: number; at: string };
  /** The sales of a vehicle. They are kept when the vehicle moves to another dealer or is removed. */
  vehicle_sales: {
    vehicle_id: number;
    /** The version of the vehicle with which the sale began. */
    made_at: string;
    dealer_id: number;
    /** `null` if it is unknown. */
    sold_at: string | null;
    /** `null` if the vehicle was already sold when it came to this dealer. */
    sold_cents: number | null;
    /** The vehicle's first price with this dealer. */
    first_cents: number | null;
    listed_at: string;
    note: string | null;
    /** 1 for the sale that belongs to the vehicle's present status. */
    present: 0 | 1;
  };
  /** The figures of a dealer on a day (UTC), from vehicles that exist and removed ones that can be restored. */
  daily_figures: { dealer_id: number; day: string } & Figures;
  /** The same figures from vehicles that were deleted for good. */
  former_figures: { dealer_id: number; day: string } & Figures;
  /**
   * An earlier time of a vehicle with a dealer, since this day. `removed` is 1 if the vehicle was removed there, and
   * would be restored to this dealer.
   */
  vehicle_stays: { id: Generated<number>; vehicle_id: number; dealer_id: number; day: string; removed: 0 | 1 };
  /** The dealers whose figures have not been computed yet. */
  figures_missing: { dealer_id: number };
  vehicle_documents: {
    id: number;
    dealer_id: number;
    updated_at: string;
    /** JSON. */
    document: string;
  };
  /** `created_at` is the time at which the vehicle was removed. */
  removed_vehicles: {
    id: number;
    dealer_id: number;
    created_at: string;
    actor_key_id: number | null;
    actor_user_id: number | null;
    actor_name: string;
    /** 0 if there is no dealer, `null` if it was not recorded. */
    actor_dealer_id: number | null;
    via: Via;
    /** JSON: the vehicle as it is answered. */
    document: string;
    /** JSON: the vehicle's row. */
    vehicle: string;
    /** JSON: the rows of the vehicle's images. */
    images: string;
    words: string;
  };
  /** `folded` is `NULL` until the service has folded the value. */
  vehicle_spellings: { field: string; value: string; folded: string; seen: number };
  dealer_inventory: {
    dealer_id: number;
    available: number;
    sold: number;
    pending: number;
    available_cents: number;
    sold_cents: number;
    pending_cents: number;
    /** The sum of the times, in ms since 1970, at which the vehicles that are not sold were listed. */
    listed_ms: number;
    /** It changes whenever the dealer changes in a way that feeds show. */
    mark: number;
  };
  /** The mean score of a dealer's vehicles as they were judged last, and the dealer's mark at that time. */
  dealer_scores: { dealer_id: number; score: number | null; mark: number; judged_at: string };
  users: {
    id: Generated<number>;
    name: string;
    email: string;
    email_folded: string;
    role: Role;
    dealer_id: number | null;
    permissions: number;
    active: 0 | 1;
    ended_by: Role | null;
    created_at: string;
    updated_at: string;
  };
  api_keys: {
    id: Generated<number>;
    name: string;
    description: string | null;
    app_type: AppType;
    app_id: string;
    key_start: string;
    association: Association;
    user_id: number | null;
    permissions: number;
    rate_limit: number | null;
    active: 0 | 1;
    ended_by: Role | null;
    bound_since: string | null;
    bootstrap: 0 | 1;
    public: 0 | 1;
    /** A JSON array of origins. */
    allowed_origins: string | null;
    /** A JSON array of networks. */
    allowed_networks: string | null;
    expires_at: string | null;
    /** How many days before which expiry people were told last. */
    notified_days: number | null;
    notified_expiry: string | null;
    /** When people were told that the key is not used. */
    idle_noticed_at: string | null;
    disabled_reason: "idle" | null;
    owner_email: string | null;
    search_folded: string;
    created_at: string;
    updated_at: string;
  };
  /** A column is `NULL` until its words are made, and after a change that made them out of date. */
  dealer_words: { dealer_id: number; name: string | null; name_words: string | null; words: string | null };
  user_words: { user_id: number; name: string | null; name_words: string | null; words: string | null };
  key_words: {
    key_id: number;
    name: string | null;
    name_words: string | null;
    words: string | null;
    /** The words of its dealer's name. */
    dealer_words: string | null;
    /** The words of its user's name. */
    user_words: string | null;
  };
  /** The words of vehicles; `NULL` if a change by another version of the service made them out of date. */
  vehicle_words: { vehicle_id: number; dealer_id: number; words: string | null };
  search_state: { id: number; kept: 0 | 1; reached: number; last: number; unspelled: number };
  dealer_keys: { dealer_id: number; key_id: number };
  key_secrets: {
    hash: string;
    key_id: number;
    ends_at: string | null;
    /** The first characters of an old secret. */
    start: string | null;
  };
  old_secret_uses: { hash: string; day: string; uses: number; last_used_at: string };
  key_usage: { key_id: number; last_used_at: string; address: string | null; user_agent: string | null };
  key_usage_hours: {
    key_id: number;
    hour: string;
    served: number;
    denied: number;
    limited: number;
    failed: number;
    unauthorized: number;
  };
  usage_hours: {
    hour: string;
    served: number;
    denied: number;
    limited: number;
    failed: number;
    unauthorized: number;
  };
  key_denials: {
    id: Generated<number>;
    key_id: number;
    at: string;
    status: number;
    code: string;
    method: string;
    route: string;
    address: string;
  };
  /** The earlier periods of a key at a dealer. */
  past_bindings: { key_id: number; dealer_id: number; since: string; until: string };
  usage_writers: { id: string; batch: number; written_at: string };
  access_version: { id: number; version: number };
  audit_entries: {
    id: Generated<number>;
    created_at: string;
    actor_key_id: number | null;
    actor_user_id: number | null;
    actor_name: string;
    via: Via;
    action: Action | FormerAction;
    resource: AuditedResource | null;
    resource_id: number | null;
    dealer_id: number | null;
    /** JSON. */
    before: string | null;
    /** JSON. */
    after: string | null;
    address: string | null;
    request_id: string | null;
    /** 0 if there is no dealer, `null` if it was not recorded. */
    actor_dealer_id: number | null;
    /** `null` if it was not recorded. */
    record_name: string | null;
    /** The import that the change comes from. */
    import_id: number | null;
    /** The change that it is a part of, and the change that it reverts. */
    change_id: string | null;
    reverts: string | null;
  };
  /** Unfinished work. `owner` has the job until `lease_until`. */
  jobs: {
    id: Generated<number>;
    kind: JobKind;
    /** Only one job of a queue runs at a time. */
    queue: number;
    subject_id: number;
    owner: string | null;
    lease_until: string | null;
    /** How often the job was started since it last made progress. */
    attempts: number;
    created_at: string;
  };
  offboardings: {
    user_id: number;
    at: string;
    was_active: 0 | 1;
    new_owner_id: number | null;
    /** JSON. */
    key_ids: string;
  };
  scheduled_changes: {
    id: Generated<number>;
    dealer_id: number;
    at: string;
    /** JSON. */
    changes: string;
    state: ScheduleState;
    reason: ScheduleReason | null;
    vehicles: number;
    updated: number;
    unchanged: number;
    dropped: number;
    /** What its vehicles are called. */
    name: string;
    /** The key or user that made it. It is made only while they may make it. */
    actor_key_id: number | null;
    actor_user_id: number | null;
    created_at: string;
    updated_at: string;
    started_at: string | null;
    finished_at: string | null;
  };
  scheduled_change_vehicles: {
    change_id: number;
    vehicle_id: number;
    /** Its version when the change was scheduled. */
    version: string;
    outcome: ScheduledOutcome;
    reason: DropReason | null;
    message: string | null;
  };
  import_mappings: {
    id: Generated<number>;
    dealer_id: number;
    name: string;
    /** JSON. */
    columns: string;
    /** JSON; `null` in a mapping of a version before. */
    word_values: string | null;
    created_at: string;
    updated_at: string;
  };
  imports: {
    id: Generated<number>;
    created_at: string;
    /** `null` if the file names the dealers. */
    dealer_id: number | null;
    /** The source that the file was fetched from. */
    source_id: number | null;
    /** JSON: the vehicles that were missing in the source's previous file; `null` until the files were compared. */
    missing_before: string | null;
    state: StoredImportState;
    /** JSON. */
    options: string;
    /** JSON; `null` while the file is being received. */
    file: string | null;
    /** JSON: a list; `null` while the file is being received. */
    columns: string | null;
    /** JSON: the pass, the number of its rows that are processed, and their outcomes. */
    progress: string;
    /** 1 if its cancellation was requested. */
    stops: 0 | 1;
    actor_key_id: number | null;
    actor_user_id: number | null;
    actor_name: string;
    /** 0 if there is no dealer. */
    actor_dealer_id: number | null;
    via: Via;
    address: string | null;
    request_id: string | null;
    started_at: string | null;
    finished_at: string | null;
    /** The time from which the file may be deleted; `null` while it is needed, and after it was deleted. */
    file_until: string | null;
    /** JSON. */
    error: string | null;
    /** JSON: how far the photos of its rows are fetched; `null` if none were to be. */
    photos: string | null;
  };
  /** Addresses of images that an import has fetched. Those that failed stay until the last one is done. */
  import_photos: {
    import_id: number;
    place: number;
    /** SHA-256. */
    address_hash: string;
    dealer_id: number;
    vehicle_id: number;
    address: string;
    /** Why it could not be fetched; `null` while it waits. */
    problem: string | null;
  };
  import_sources: {
    id: Generated<number>;
    name: string;
    dealer_id: number;
    url: string;
    schedule: string;
    timezone: string;
    /** Sealed JSON: see core/sealing.ts. */
    auth: string | null;
    /** JSON: the same without its secret. */
    auth_shown: string | null;
    /** JSON. */
    options: string;
    /** JSON. */
    field_owners: string;
    active: 0 | 1;
    ended_by: Role | null;
    /** The key or user that last changed the source. Its imports are made with their rights. */
    actor_key_id: number | null;
    actor_user_id: number | null;
    /** The time of the next fetch by its schedule. */
    next_at: string | null;
    etag: string | null;
    /** JSON: the vehicles that were missing in the last file. */
    missing_lately: string | null;
    /** The number of consecutive failures. */
    failures: number;
    failing_since: string | null;
    /** JSON: the last runs, newest first. */
    runs: string;
    created_at: string;
    updated_at: string;
  };
  webhooks: {
    id: Generated<number>;
    url: string;
    /** JSON. */
    events: string;
    /** `null` if it is told of the changes of all dealers. */
    dealer_id: number | null;
    description: string | null;
    max_per_second: number;
    active: 0 | 1;
    ended_by: Role | null;
    disabled_reason: DisabledReason | null;
    /** The key or user that last changed the webhook. It is told only of what they may read. */
    actor_key_id: number | null;
    actor_user_id: number | null;
    /** Sealed: see core/sealing.ts. */
    secret: string | null;
    previous_secret: string | null;
    previous_until: string | null;
    failures: number;
    failing_since: string | null;
    noticed_at: string | null;
    /** The number of its pending messages. */
    waiting: number;
    /** The time from which a message may be due; `null` if none is. */
    due_at: string | null;
    /** The second in which messages were last claimed, and how many. */
    paced_at: string | null;
    paced: number;
    deleted_at: string | null;
    created_at: string;
    updated_at: string;
  };
  /** Changes that webhooks were not told of yet. Triggers write them. */
  webhook_events: {
    id: Generated<number>;
    /** What the subject is: an audit entry, a feed or a key. */
    kind: "change" | "held" | "expiring";
    subject_id: number;
    /** The only webhook that is told; `null` for all. */
    webhook_id: number | null;
  };
  webhook_deliveries: {
    id: Generated<number>;
    webhook_id: number;
    /** What it comes from. A webhook has one message of each. */
    source: string;
    event: SentEvent;
    message: string;
    vehicle_id: number | null;
    state: DeliveryState;
    body: string;
    tries: number;
    /** JSON: the last tries. */
    attempts: string;
    next_at: string | null;
    /** The process that sends it now, until `lease_until`. */
    owner: string | null;
    lease_until: string | null;
    created_at: string;
  };
  /** The uncompressed bytes of a file, in pieces of the same size. They are stored as gzip in base64. */
  import_chunks: { import_id: number; place: number; bytes: string };
  /** The results of rows. Missing vehicles have places after those of the rows. */
  import_rows: {
    import_id: number;
    place: number;
    outcome: RowOutcome;
    dealer_id: number | null;
    vehicle_id: number | null;
    /** In lower case, the form in which keys are compared. */
    vin: string | null;
    stock_number: string | null;
    /** JSON. */
    result: string;
    /** JSON: the cells of a failed row. */
    cells: string | null;
    /** 1 if values of the vehicle were kept against the row. */
    kept: 1 | null;
  };
  /** What the last file of a source said of a vehicle. It is deleted with either, and when the vehicle moves. */
  import_bases: {
    vehicle_id: number;
    /** See `sourceOf` of core/imports/bases.ts. */
    source: string;
    dealer_id: number;
    updated_at: string;
    /** The status in that file; `null` if it named none. */
    status: string | null;
    /** JSON: the other fields in that file, and the images. */
    base: string;
  };
  feeds: {
    id: Generated<number>;
    created_at: string;
    updated_at: string;
    /** If it is set, the feed was deleted, and its address answers so. */
    deleted_at: string | null;
    name: string;
    channel: ChannelName;
    /** The dealer whose vehicles it contains, if it is only one. */
    dealer_id: number | null;
    /** JSON: a list; `null` for all dealers. */
    dealer_ids: string | null;
    /** JSON: its other fields. */
    settings: string;
    active: 0 | 1;
    ended_by: Role | null;
    actor_key_id: number | null;
    actor_user_id: number | null;
    actor_name: string;
    /** 0 if there is no dealer. */
    actor_dealer_id: number | null;
    via: Via;
    /** JSON. */
    held: string | null;
    seen_state: string | null;
    modified_at: string | null;
    counted_state: string | null;
    counted_rows: number | null;
    counted_left_out: number | null;
    /** JSON. It counts only with `counted_state`, as the version before does not know it. */
    counted_reason: string | null;
    /** The beginning of the hour in which fetches are counted. */
    hour_at: string | null;
    hour_count: number;
  };
  feed_tokens: { hash: string; feed_id: number; ends_at: string | null };
  feed_fetches: {
    id: Generated<number>;
    feed_id: number;
    at: string;
    address: string;
    agent: string | null;
    status: number;
    row_count: number | null;
    left_out: number | null;
  };
  /** `field_owners` is JSON. */
  settings: Columns<Settings, { id: number; field_owners: string }>;
  service_secrets: { name: string; secret: string };
  sign_in_accounts: {
    id: Generated<number>;
    user_id: number;
    provider: string;
    account: string;
    password_hash: string;
    created_at: string;
    updated_at: string;
  };
  sessions: {
    id: Generated<number>;
    user_id: number;
    token_hash: string;
    address: string | null;
    user_agent: string | null;
    last_seen_at: string;
    /** The time at which the session ends if it is not used again. It is never later than `ends_at`. */
    expires_at: string;
    ends_at: string;
    /** The time when the password or a code was last confirmed; `null` if this has not happened since sign-in. */
    proved_at: string | null;
    created_at: string;
    updated_at: string;
  };
  second_factors: {
    id: Generated<number>;
    user_id: number;
    secret: string;
    /** JSON: hashes of the unused recovery codes. */
    recovery_codes: string;
    verified: number;
    failures: number | null;
    locked_until: string | null;
  };
  sign_in_challenges: {
    id: Generated<number>;
    identifier: string;
    value: string;
    expires_at: string;
    created_at: string;
    updated_at: string;
  };
  sign_in_attempts: {
    subject: string;
    account: string | null;
    failures: number;
    locked_until: string | null;
    succeeded_at: string | null;
    last_at: string;
  };
  kept_answers: {
    key_id: number;
    /** The dealer and the role that the key had. */
    binding: string;
    method: string;
    path: string;
    /** What the caller sent as Idempotency-Key. */
    name: string;
    /** A hash of what was sent. */
    fingerprint: string;
    status: number;
    /** JSON. */
    headers: string;
    /** JSON: the version of the answered record; `null` if it has none. */
    version: string | null;
    /** `null` if it was too long: the record is read anew. */
    body: string | null;
    /** Whose share it takes, and how much of it; `null` if a version before kept it. */
    holder: string | null;
    bytes: number | null;
    expires_at: string;
  };
  hourly_counts: { subject: string; begins_at: string; count: number };
  invitations: {
    id: Generated<number>;
    kind: InvitationKind;
    user_id: number | null;
    token_hash: string;
    created_at: string;
    expires_at: string;
  };
}

/** A row of a table, with all its columns. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

/** A new row must have every column except its id. A column that is left out would become `null` without an error. */
export type NewRow<Table extends keyof Tables> = Readonly<Record<Exclude<keyof Tables[Table], "id">, unknown>>;
