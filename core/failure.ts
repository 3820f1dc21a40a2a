import type { Permission } from "./access/permissions.ts";
import type { Issue } from "./issues.ts";

/** What a failure of existence or ownership is about. */
export type Subject = "vehicle" | "dealer" | "image" | "key" | "user" | "session";

/** Every failure that a use case expects; anything else that goes wrong is a defect or a dead database and is thrown. */
export type FailureCause =
  | { readonly kind: "permission-missing"; readonly needs: Permission }
  | { readonly kind: "never-for-bound-keys" }
  | { readonly kind: "not-found"; readonly subject: Subject; readonly id: number }
  | { readonly kind: "foreign"; readonly subject: "vehicle" | "dealer" }
  | { readonly kind: "reassignment" }
  | { readonly kind: "escalation"; readonly reason: string }
  | { readonly kind: "own-account" }
  | { readonly kind: "proof-too-old" }
  | { readonly kind: "stale"; readonly subject: "vehicle" | "dealer" }
  | { readonly kind: "invalid"; readonly issues: readonly Issue[]; readonly omitted: number }
  | { readonly kind: "quota-exceeded"; readonly reason: string }
  | { readonly kind: "too-often"; readonly reason: string; readonly retrySeconds: number }
  | { readonly kind: "email-taken" }
  | { readonly kind: "last-super-admin" }
  | { readonly kind: "sign-in-failed" }
  | { readonly kind: "locked-out"; readonly seconds: number }
  | { readonly kind: "invitation-void" };

/** An expected failure, returned (never thrown) by use cases; adapters translate it once. */
export class Failure {
  constructor(readonly cause: FailureCause) {}
}

/** What a use case returns: its value, or the failure that kept it from one. */
export type Outcome<T> = T | Failure;

/** A failure that names every offending field. */
export const invalid = (...issues: readonly Issue[]): Failure => new Failure({ kind: "invalid", issues, omitted: 0 });

/** A failure that says what does not exist, or is out of the caller's sight. */
export const notFound = (subject: Subject, id: number): Failure => new Failure({ kind: "not-found", subject, id });

/** A failure that says why a caller may not hand out, or touch, more than it holds (interface 5.7). */
export const escalation = (reason: string): Failure => new Failure({ kind: "escalation", reason });
