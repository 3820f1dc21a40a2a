import type { Actor } from "../access/principal.ts";
import type { Audited } from "../audit/audit-entry.ts";

/** What happens to the safety of an account, apart from changes of the user's own record. */
type SecurityEvent = Extract<Audited, `user.${string}-${string}` | "user.invited">;

/** Where what happens to accounts is recorded, after it happened. Never told a password, code, token or link. */
export interface SecurityEvents {
  record(
    event: SecurityEvent,
    user: { readonly id: number; readonly dealerId: number | null },
    by: Actor,
  ): Promise<void>;
}
