import type { Failure, FailureCause } from "../../../core/failure.ts";
import type { Issue } from "../../../core/issues.ts";

/** Every error code with its status and its meaning. The documentation of the API is made from this table. */
export const ERROR_CODES = {
  invalid_input: [400, "Path, query or body fields are not valid; `details` names every one, up to 50."],
  invalid_json: [400, "The body is not JSON in UTF-8, or nested more than 32 deep."],
  app_type_mismatch: [400, "`X-App-Type` is not the key's app type, or is missing where it is required."],
  import_file_unreadable: [
    400,
    "The file of an import has no heading or no row that can be read; the sentence says why.",
  ],
  api_key_missing: [401, "The header `X-API-Key` is missing."],
  api_key_invalid: [401, "The key is malformed, unknown, revoked or expired, or was sent twice."],
  sign_in_failed: [401, "Nobody is signed in with this; it is not said what of it was wrong."],
  signed_out: [401, "The portal was asked without a session that works."],
  second_factor_required: [403, "A second factor is compulsory for this user, who has none: nothing else is open."],
  cross_origin: [403, "A change for the portal that did not come from its own pages."],
  permission_missing: [403, "The key lacks the permission that the operation needs."],
  dealer_bound: [403, "The operation is not open to keys that are bound to a dealer."],
  not_your_dealer: [
    403,
    "The vehicle or dealer does not belong to the key's dealer, or the change would give the vehicle to another dealer.",
  ],
  exceeds_your_rights: [403, "Nobody hands out, or changes, more than they hold."],
  reauthentication_required: [
    403,
    "The portal's change needs the password, or a code, again: it was last given more than 30 minutes ago.",
  ],
  own_account: [
    403,
    "One's own sign-in is changed on the account's page in the portal, which asks for the present password.",
  ],
  not_found: [404, "The path, or the record it names, does not exist."],
  method_not_allowed: [405, "The path does not know this method; `Allow` names those it knows."],
  upload_too_slow: [
    408,
    "The file of an import arrived at less than 64 KiB a second after its first 30 seconds, or not within 15 minutes.",
  ],
  quota_exceeded: [409, "There are as many keys or users as one dealer or user may have; the sentence says how many."],
  confirmation_stale: [409, "What was confirmed is not so any more: there are more, or fewer, than were expected."],
  not_restorable: [409, "The removed vehicle's dealer is inactive or gone; the sentence says which."],
  not_sold: [409, "The vehicle is not sold, so it has no sale."],
  email_taken: [409, "Another user has this email address."],
  last_super_admin: [409, "The last active super-admin is neither deactivated nor given another role."],
  import_state: [409, "The import is in a state in which this cannot be done; the sentence says which."],
  gone: [410, "The feed at this address was deleted."],
  precondition_failed: [412, "The record is no longer the version that `If-Match` names."],
  body_too_large: [413, "The body is larger than 1 MiB."],
  import_file_too_large: [413, "The file of an import is larger than may be; the sentence names the limit."],
  unsupported_media_type: [
    415,
    "The body's Content-Type is not application/json, or not that of a file that can be read.",
  ],
  rate_limit_exceeded: [
    429,
    "The key's requests a minute, or an address's failed authentications, or what may be done in an hour, are used up.",
  ],
  too_many_jobs: [429, "As many imports of the dealer are waiting as may; try again after `Retry-After` seconds."],
  locked_out: [429, "Too many failed attempts to sign in; try again after `Retry-After` seconds."],
  internal_error: [500, "A defect of the service; the log has it under the request id."],
  search_not_ready: [
    503,
    "The words by which vehicles are found are still being made, as after an update; all else works. Try again after `Retry-After` seconds.",
  ],
  outcome_unknown: [
    503,
    "The database did not confirm the change: it may or may not have been made. Read the record before trying again.",
  ],
  unavailable: [
    503,
    "The database is out of reach, or other long answers to the caller are not read yet; try again after `Retry-After` seconds.",
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
}

/** An error as clients receive it. */
export class Problem {
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly Issue[] | null;
  readonly detailsOmitted: number;

  constructor(
    readonly code: ErrorCode,
    /** A sentence for people. */
    readonly sentence: string,
    { headers = {}, details = null, detailsOmitted = 0 }: ProblemDetails = {},
  ) {
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

const problemOfCause = (cause: FailureCause, { one, whose, all, bound }: (typeof CALLER_WORDS)[Audience]): Problem => {
  switch (cause.kind) {
    case "permission-missing":
      return new Problem("permission_missing", `${one} lacks the permission ${cause.needs}`);
    case "never-for-bound-keys":
      return new Problem("dealer_bound", `${all} may not do this`);
    case "not-found":
      return new Problem("not_found", `${capitalised(cause.subject)} ${cause.id} not found`);
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
    case "too-many-jobs":
      return new Problem("too_many_jobs", cause.reason, { headers: { "retry-after": String(cause.retrySeconds) } });
    case "import-state":
      return new Problem("import_state", cause.reason);
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
export const problemBody = (problem: Problem, timestamp: string, requestId: string): string =>
  JSON.stringify({
    error: problem.sentence,
    code: problem.code,
    timestamp,
    request_id: requestId,
    ...(problem.details !== null && { details: problem.details }),
    ...(problem.detailsOmitted > 0 && { details_omitted: problem.detailsOmitted }),
  });
