import type { Actor } from "../access/principal.ts";
import type { Audited } from "../audit/audit-entry.ts";

/** What happens to the safety of an account, apart from changes of the user's own record. */
type SecurityEvent = Extract<Audited, `user.${string}-${string}` | "user.invited">;

/** Whose account it is about; nobody's where the address that was given is no user's. */
type Concerned = { readonly id: number | null; readonly dealerId: number | null };

/** What is kept besides: never a password, code, token, link, or an address that may be a password typed into the wrong field. */
export type EventDetails = Readonly<Record<string, string | number | boolean>>;

/** Where what happens to accounts is recorded, after it happened. Never told a password, code, token or link. */
export interface SecurityEvents {
  record(event: SecurityEvent, concerned: Concerned, by: Actor, details?: EventDetails): Promise<void>;
  /** The same in the background: how long an answer takes must not tell whether there was anything to record. */
  note(event: SecurityEvent, concerned: Concerned, by: Actor, details?: EventDetails): void;
}
