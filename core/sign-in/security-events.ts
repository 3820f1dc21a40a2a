import type { Actor } from "../access/principal.ts";
import type { Audited } from "../audit/actions.ts";

/** Security events of an account, apart from changes of the user's record. */
type SecurityEvent = Extract<Audited, `user.${string}-${string}` | "user.invited" | `session.${string}`>;

/** The account concerned; `null` when the address belongs to no user. */
type Concerned = { readonly id: number | null; readonly dealerId: number | null; readonly name: string | null };

/**
 * Details of an event: never a password, code, token or link, nor an address, which may be a password in the wrong
 * field.
 */
export type EventDetails = Readonly<Record<string, string | number | boolean>>;

/** An event, the account concerned, and who caused it. */
interface SecurityEventDraft {
  readonly event: SecurityEvent;
  readonly concerned: Concerned;
  readonly by: Actor;
  readonly details?: EventDetails;
}

/** Records security events after they happened. Never receives a password, code, token or link. */
export interface SecurityEvents {
  record(happening: SecurityEventDraft): Promise<void>;
  /** The same in the background, so that the time of an answer does not reveal whether something was recorded. */
  recordInBackground(happening: SecurityEventDraft): void;
}
