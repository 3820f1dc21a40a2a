import type { Actor } from "../access/principal.ts";
import type { AuditedResource } from "./actions.ts";

/** An operation that was denied to a caller. */
export interface DeniedOperation {
  readonly by: Actor;
  /** The caller's dealer, whose admins see the entry. */
  readonly dealerId: number | null;
  /** An operation of the policy, or one on the caller's own account. */
  readonly operation: string;
  readonly resource: AuditedResource | null;
  /** The record that the request named, if any. */
  readonly resourceId: number | null;
  /** The error code of the refusal. */
  readonly code: string;
  readonly isChange: boolean;
}

/** Queues denials until they are written to the audit log. */
export interface DenialQueue {
  /** Queues a denial. It is written soon afterwards, without delaying the request. */
  record(denial: DeniedOperation): void;
  /** Resolves when all queued denials are in the log. */
  flush(): Promise<void>;
}
