import type { Failure, FailureCause, Subject } from "../../../core/failure.ts";
import type { Issue } from "../../../core/issues.ts";
import { type Permission, type PermissionPair, pairsOfSet, permissionSet } from "../../../core/permissions.ts";

/** Every error code with its status and its meaning. The documentation of the API is made from this table. */
export const ERROR_CODES = {
  invalid_input: [400, "Fields of the path, query or body are invalid. `details` lists up to 50 of them."],
  invalid_json: [400, "The body is not JSON in UTF-8, or is nested more than 32 levels deep."],
  app_type_mismatch: [400, "`X-App-Type` is not the key's app type, or is missing where it is required."],
  import_file_unreadable: [
    400,
    "The file of an import has no readable heading or no readable row. The message says why.",
  ],
  target_refused: [
    400,
    "Nothing is ever fetched from the address of an import source: it is in a network that only the service reaches, or no https address. `details` names the field.",
  ],
  api_key_missing: [401, "The header `X-API-Key` is missing."],
  api_key_invalid: [401, "The key is malformed, unknown, revoked or expired, or was sent twice."],
  sign_in_failed: [401, "The sign-in failed. The answer does not tell which part was wrong."],
  signed_out: [401, "The request to the portal has no valid session."],
  second_factor_required: [403, "The user must set up a second factor before doing anything else."],
  cross_origin: [403, "A change in the portal was not requested by the portal's own pages."],
  origin_not_allowed: [403, "The key may not be used by pages of the request's `Origin`."],
  network_not_allowed: [
    403,
    "The key may not be used from the address that the message names: its `allowed_networks` do not hold it.",
  ],
  permission_missing: [403, "The key lacks the permission that the operation needs, or is public and may not do this."],
  dealer_bound: [403, "The operation is not allowed for keys that are bound to a dealer."],
  not_your_dealer: [
    403,
    "The vehicle or dealer does not belong to the key's dealer, or the change would give the vehicle to another dealer.",
  ],
  exceeds_your_rights: [403, "Callers cannot grant or change rights beyond their own."],
  reauthentication_required: [
    403,
    "The change in the portal needs the password or a code again, because the last one was given more than 30 minutes ago.",
  ],
  own_account: [
    403,
    "Users change their own sign-in on the account page of the portal, which asks for the current password.",
  ],
  not_found: [404, "The path or the record does not exist."],
  method_not_allowed: [405, "The path does not support this method. `Allow` lists the supported methods."],
  upload_too_slow: [
    408,
    "The file of an import arrived at less than 64 KiB a second after the first 30 seconds, or took more than 15 minutes.",
  ],
  quota_exceeded: [409, "The dealer or user has as many keys or users as allowed. The message names the limit."],
  confirmation_stale: [409, "The number that was confirmed is out of date: there are more or fewer now."],
  duplicate_vehicle: [
    409,
    "An unsold vehicle of the dealer has this VIN or stock number, and the dealer's `unique_vin` is `refuse`. `details` names the vehicles.",
  ],
  dealer_code_taken: [409, "Another dealer has one of these `codes`. The message names the code."],
  not_restorable: [409, "The dealer of the removed vehicle is inactive or was deleted. The message says which."],
  not_revertible: [
    409,
    "The change is a reversal, or it created, removed or moved vehicles. Such changes are not reverted. The message says why.",
  ],
  not_sold: [409, "The vehicle is not sold, so it has no sale."],
  email_taken: [409, "Another user has this email address."],
  last_super_admin: [409, "The last active super-admin cannot be deactivated or get another role."],
  idempotency_in_progress: [
    409,
    "The request that first had this `Idempotency-Key` still runs. Send it again after `Retry-After` seconds.",
  ],
  import_state: [409, "This cannot be done in the import's present state, which the message names."],
  schedule_state: [409, "The scheduled change has begun or ended, so that it cannot be cancelled."],
  cursor_expired: [
    410,
    "The cursor of the change feed is older than 30 days, or the database was replaced since. Read the feed from its beginning.",
  ],
  gone: [410, "The feed at this address was deleted."],
  precondition_failed: [412, "The record no longer has the version in `If-Match`."],
  body_too_large: [413, "The body is larger than 1 MiB, or a photo is larger than 20 MiB."],
  import_file_too_large: [413, "The file of an import is too large. The message names the limit."],
  unsupported_media_type: [
    415,
    "The Content-Type of the body is not application/json, or not that of a supported file, or the bytes of a photo are of another kind than JPEG, PNG and WebP.",
  ],
  idempotency_key_reused: [
    422,
    "Another request with another body, query or content type has had this `Idempotency-Key`. Take a new one.",
  ],
  rate_limit_exceeded: [
    429,
    "The limit of the key's requests a minute, of its open streams, of failed authentications from the address, or of an hourly activity is reached.",
  ],
  too_many_jobs: [429, "Too many imports of the dealer are waiting. Try again after `Retry-After` seconds."],
  locked_out: [429, "Too many attempts to sign in have failed. Try again after `Retry-After` seconds."],
  internal_error: [500, "The service has a defect. The log contains it under the request id."],
  photos_off: [
    501,
    "The service takes no photos, because none of its storage is configured for them. The message says why.",
  ],
  search_not_ready: [
    503,
    "The search index is still being built, for example after an update. Everything else works. Try again after `Retry-After` seconds.",
  ],
  outcome_unknown: [
    503,
    "The database did not confirm the change: it may or may not have been made. With the same `Idempotency-Key` it can be sent again; without one, read the record before.",
  ],
  storage_quota: [
    507,
    "The files and results of the dealer's imports and its audit log of a day take as much space as allowed. Delete imports that are not needed, or wait: files are deleted 24 hours after their import ended. Or the dealer's photos take as much space as allowed.",
  ],
  storage_full: [
    507,
    "The disk of the database is nearly full. Imports, batches, bulk changes and lists of images are refused until there is room. Or the storage of photos is full.",
  ],
  unavailable: [
    503,
    "The database or the storage of photos cannot be reached, too many photos are being made, or the caller has not yet read other long answers. Try again after `Retry-After` seconds.",
  ],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** How a refusal addresses the caller: as a key or as an account. */
export type Audience = "key" | "account";

/** Optional parts of an error. */
interface ProblemDetails {
  readonly headers?: Readonly<Record<string, string>>;
  readonly details?: readonly Issue[] | null;
  /** The number of issues that are left out of `details`. */
  readonly detailsOmitted?: number;
  /** The permission that the caller lacks. */
  readonly needs?: Permission;
}

/** What an error says besides of the key that was refused. */
export interface RefusedRights {
  readonly has: readonly PermissionPair[];
  readonly bound_dealer_id: number | null;
}

/** An error as clients receive it. */
export class Problem {
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly Issue[] | null;
  readonly detailsOmitted: number;
  readonly needs: PermissionPair | null;

  constructor(
    readonly code: ErrorCode,
    /** A sentence for people. */
    readonly sentence: string,
    { headers = {}, details = null, detailsOmitted = 0, needs }: ProblemDetails = {},
  ) {
    this.needs = needs === undefined ? null : (pairsOfSet(permissionSet([needs]))[0] ?? null);
    this.headers = headers;
    this.details = details;
    this.detailsOmitted = detailsOmitted;
  }

  get status(): number {
    return ERROR_CODES[this.code][0];
  }
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** What a refusal calls the caller, for each audience. */
const CALLER_WORDS = {
  key: {
    one: "The API key",
    whose: "the API key's",
    all: "API keys that are bound to a dealer",
    bound: "is bound to a dealer",
  },
  account: {
    one: "Your account",
    whose: "your",
    all: "Accounts that belong to a dealer",
    bound: "belongs to a dealer",
  },
} as const satisfies Record<Audience, object>;

/** What people call a record, where it is more than the word that operations have. */
const SUBJECT_WORDS: Readonly<Partial<Record<Subject, string>>> = { schedule: "scheduled change" };

const problemOfCause = (cause: FailureCause, { one, whose, all, bound }: (typeof CALLER_WORDS)[Audience]): Problem => {
  switch (cause.kind) {
    case "permission-missing":
      return new Problem("permission_missing", `${one} lacks the permission ${cause.needs}`, { needs: cause.needs });
    case "never-for-bound-keys":
      return new Problem("dealer_bound", `${all} may not do this`);
    case "never-for-public-keys":
      return new Problem("permission_missing", `${one} is public, and this is not for everybody who sees a page`);
    case "not-found":
      return new Problem(
        "not_found",
        `${capitalised(SUBJECT_WORDS[cause.subject] ?? cause.subject)} ${cause.id} not found`,
      );
    case "foreign":
      return new Problem("not_your_dealer", `The ${cause.subject} does not belong to ${whose} dealer`);
    case "reassignment":
      return new Problem("not_your_dealer", `${one} ${bound}, so it cannot reassign vehicles`);
    case "escalation":
      return new Problem("exceeds_your_rights", cause.reason);
    case "proof-too-old":
      return new Problem(
        "reauthentication_required",
        "This needs your password again, as it was last given more than 30 minutes ago; nothing is changed",
      );
    case "own-account":
      return new Problem(
        "own_account",
        "This is your own account: it has a page of its own in the portal, which asks for your present password",
      );
    case "stale":
      return new Problem(
        "precondition_failed",
        `The ${cause.subject} ${cause.subject === "settings" ? "have" : "has"} changed since the version named by If-Match`,
      );
    case "invalid":
      return invalidInput(cause.issues, cause.omitted);
    case "target-refused":
      return new Problem(
        "target_refused",
        `Nothing is fetched from this address: ${cause.issue.path} ${cause.issue.message}`,
        {
          details: [cause.issue],
        },
      );
    case "not-sold":
      return new Problem(
        "not_sold",
        `Vehicle ${cause.id} is not sold, so it has no sale: set its status to sold first`,
      );
    case "search-not-ready":
      return new Problem(
        "search_not_ready",
        "Vehicles cannot be found by words yet, as these are still being made; try again later, or without q",
        { headers: { "retry-after": "10" } },
      );
    case "cursor-expired":
      return new Problem(
        "cursor_expired",
        "What has changed since this cursor is not known any more; begin anew, without after",
      );
    case "quota-exceeded":
      return new Problem("quota_exceeded", cause.reason);
    case "confirmation-stale":
      return new Problem(
        "confirmation_stale",
        cause.counted === "missing"
          ? `${cause.total} vehicles are missing by now, not ${cause.expected}; nothing is changed`
          : `The filter finds ${cause.total} vehicles, not ${cause.expected}; nothing is changed`,
      );
    case "not-restorable":
      return new Problem("not_restorable", cause.reason);
    case "not-revertible":
      return new Problem("not_revertible", cause.reason);
    case "duplicate-vehicle":
      return new Problem(
        "duplicate_vehicle",
        `The dealer takes no VIN or stock number twice: ${cause.issues.map(({ path, message }) => `${path} ${message}`).join("; ")}`,
        { details: cause.issues },
      );
    case "dealer-code-taken":
      return new Problem("dealer_code_taken", `Another dealer has the code ${JSON.stringify(cause.code)}`, {
        details: [{ path: "codes", message: `has ${JSON.stringify(cause.code)}, which is another dealer's` }],
      });
    case "too-often":
      return new Problem("rate_limit_exceeded", cause.reason, {
        headers: { "retry-after": String(cause.retrySeconds) },
      });
    case "email-taken":
      return new Problem("email_taken", "Another user has this email address", {
        details: [{ path: "email", message: "is another user's" }],
      });
    case "last-super-admin":
      return new Problem(
        "last_super_admin",
        "This is the last active super-admin; make, or activate, another one before this one goes",
      );
    case "sign-in-failed":
      return new Problem("sign_in_failed", "Sign-in failed: check the address, the password and the code");
    case "locked-out":
      return new Problem("locked_out", "Too many failed attempts; wait before you try again", {
        headers: { "retry-after": String(cause.seconds) },
      });
    case "invitation-void":
      return new Problem("not_found", "This link was used, replaced or has expired");
    case "file-unreadable":
      return new Problem("import_file_unreadable", cause.reason);
    case "file-too-large":
      return new Problem("import_file_too_large", cause.reason);
    case "file-unsupported":
      return new Problem("unsupported_media_type", cause.reason);
    case "storage-quota":
      return new Problem("storage_quota", cause.reason);
    case "storage-full":
      return new Problem("storage_full", cause.reason);
    case "too-many-jobs":
      return new Problem("too_many_jobs", cause.reason, { headers: { "retry-after": String(cause.retrySeconds) } });
    case "schedule-state":
      return new Problem("schedule_state", cause.reason);
    case "import-state":
      return new Problem("import_state", cause.reason);
    case "idempotency-key-reused":
      return new Problem(
        "idempotency_key_reused",
        "This Idempotency-Key was used for a request with another body, query or content type; take a new one for another change",
      );
    case "idempotency-in-progress":
      return new Problem(
        "idempotency_in_progress",
        "The first request with this Idempotency-Key still runs; send it again in a moment",
        { headers: { "retry-after": "1" } },
      );
    case "photos-off":
      return new Problem("photos_off", cause.reason);
    case "photos-unavailable":
      return new Problem("unavailable", cause.reason, { headers: { "retry-after": String(cause.retrySeconds) } });
    default:
      return cause satisfies never;
  }
};

/** Converts an expected failure into an error with a status. This is the only place that does so. */
export const problemOf = (failure: Failure, audience: Audience): Problem =>
  problemOfCause(failure.cause, CALLER_WORDS[audience]);

const MAX_NAMED = 5;

/** The 400 for these issues. */
export const invalidInput = (issues: readonly Issue[], omitted = 0): Problem => {
  const named = issues.slice(0, MAX_NAMED).map(({ path, message }) => (path === "" ? message : `${path} ${message}`));
  const unnamed = issues.length - named.length + omitted;
  const more = unnamed > 0 ? `, and ${unnamed} more` : "";
  return new Problem("invalid_input", `Invalid request: ${named.join("; ")}${more}`, {
    details: issues,
    detailsOmitted: omitted,
  });
};

/**
 * The body of an error. It has at most 50 issues, and names and messages of limited length, so that it stays below 64
 * kB.
 */
export const problemBody = (
  problem: Problem,
  {
    timestamp,
    requestId,
    rights,
  }: { readonly timestamp: string; readonly requestId: string; readonly rights?: RefusedRights | undefined },
): string =>
  JSON.stringify({
    error: problem.sentence,
    code: problem.code,
    timestamp,
    request_id: requestId,
    ...(problem.needs !== null && { needs: problem.needs }),
    ...rights,
    ...(problem.details !== null && { details: problem.details }),
    ...(problem.detailsOmitted > 0 && { details_omitted: problem.detailsOmitted }),
  });
