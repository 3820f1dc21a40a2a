import type { Issue } from "./issues.ts";
import type { Permission } from "./permissions.ts";
import type { RecordWord } from "./resources.ts";

/** The kinds of records whose absence or ownership can make a use case fail. */
export type Subject = RecordWord | "session" | "delivery";

/** Every failure that use cases expect. Defects and lost databases are thrown instead. */
export type FailureCause =
  | { readonly kind: "permission-missing"; readonly needs: Permission }
  | { readonly kind: "never-for-bound-keys" }
  | { readonly kind: "never-for-public-keys" }
  | { readonly kind: "not-found"; readonly subject: Subject; readonly id: number | string }
  | { readonly kind: "foreign"; readonly subject: "vehicle" | "dealer" }
  | { readonly kind: "reassignment" }
  | { readonly kind: "escalation"; readonly reason: string }
  | { readonly kind: "own-account" }
  | { readonly kind: "proof-too-old" }
  | { readonly kind: "stale"; readonly subject: "vehicle" | "dealer" | "settings" | "feed" }
  | { readonly kind: "invalid"; readonly issues: readonly Issue[]; readonly omitted: number }
  /** Nothing is ever fetched from the address. */
  | { readonly kind: "target-refused"; readonly issue: Issue }
  | { readonly kind: "search-not-ready" }
  /** The cursor of the change feed no longer works. */
  | { readonly kind: "cursor-expired" }
  | { readonly kind: "quota-exceeded"; readonly reason: string }
  | { readonly kind: "too-often"; readonly reason: string; readonly retrySeconds: number }
  | {
      readonly kind: "confirmation-stale";
      /**
       * What was counted: by default the vehicles that match a filter, with `missing` those that are missing from a
       * snapshot.
       */
      readonly counted?: "missing";
      readonly expected: number;
      readonly total: number;
    }
  | { readonly kind: "not-restorable"; readonly reason: string }
  | { readonly kind: "not-revertible"; readonly reason: string }
  /** The dealer refuses a vehicle with the VIN or stock number of another. */
  | { readonly kind: "duplicate-vehicle"; readonly issues: readonly Issue[] }
  /** Another dealer has the code. */
  | { readonly kind: "dealer-code-taken"; readonly code: string }
  | { readonly kind: "not-sold"; readonly id: number }
  | { readonly kind: "email-taken" }
  | { readonly kind: "last-super-admin" }
  | { readonly kind: "sign-in-failed" }
  | { readonly kind: "locked-out"; readonly seconds: number }
  | { readonly kind: "invitation-void" }
  | { readonly kind: "file-unreadable"; readonly reason: string }
  | { readonly kind: "file-too-large"; readonly reason: string }
  | { readonly kind: "file-unsupported"; readonly reason: string }
  /** The dealer keeps as much as allowed. */
  | { readonly kind: "storage-quota"; readonly reason: string }
  /** The disk is nearly full. */
  | { readonly kind: "storage-full"; readonly reason: string }
  | { readonly kind: "too-many-jobs"; readonly reason: string; readonly retrySeconds: number }
  | { readonly kind: "import-state"; readonly reason: string }
  | { readonly kind: "schedule-state"; readonly reason: string }
  /** The name of a request was used for another one. */
  | { readonly kind: "idempotency-key-reused" }
  /** The same request still runs. */
  | { readonly kind: "idempotency-in-progress" }
  /** The service holds no photos. */
  | { readonly kind: "photos-off"; readonly reason: string }
  /** The storage of photos is out of reach, or too many photos are being made. */
  | { readonly kind: "photos-unavailable"; readonly reason: string; readonly retrySeconds: number };

/** An expected failure. Use cases return it and never throw it. Adapters translate it in one place. */
export class Failure {
  constructor(readonly cause: FailureCause) {}
}

/** The result of a use case: its value, or the failure that prevented it. */
export type Outcome<T> = T | Failure;

/** A failure that names every offending field. */
export const invalid = (...issues: readonly Issue[]): Failure => new Failure({ kind: "invalid", issues, omitted: 0 });

/** A failure for a record that does not exist, or that the caller cannot see. */
export const notFound = (subject: Subject, id: number | string): Failure =>
  new Failure({ kind: "not-found", subject, id });

/** A failure that says why callers may not grant, or change, rights beyond their own (interface 5.7). */
export const escalation = (reason: string): Failure => new Failure({ kind: "escalation", reason });
