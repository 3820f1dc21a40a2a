import type { Actor } from "../access/principal.ts";
import type { AuditedResource } from "./audit-entry.ts";

/** Something that a caller was not allowed to do. */
export interface Denial {
  readonly by: Actor;
  /** The caller's dealer, whose admins see the entry. */
  readonly dealerId: number | null;
  /** The policy's operation, or what was asked of the caller's own account. */
  readonly operation: string;
  readonly resource: AuditedResource | null;
  /** The record it was about, where the request named one. */
  readonly resourceId: number | null;
  /** The code of the refusal. */
  readonly code: string;
  readonly isChange: boolean;
}

/** Denials on their way into the audit log. */
export interface Denials {
  /** Takes a denial; it is written soon, off the request's path. */
  note(denial: Denial): void;
  /** Resolves when every denial noted so far is in the log. */
  flush(): Promise<void>;
}
