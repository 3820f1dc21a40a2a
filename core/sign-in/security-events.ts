import type { Actor } from "../access/principal.ts";
import type { Audited } from "../audit/actions.ts";

/** The security events of an account, without changes of the user's record. */
type SecurityEvent = Extract<Audited, `user.${string}-${string}` | "user.invited" | `session.${string}`>;

/** The account that an event is about. `id` is `null` if the address belongs to no user. */
type Concerned = { readonly id: number | null; readonly dealerId: number | null; readonly name: string | null };

/**
 * Details of an event. They never contain a password, code, token or link. They contain no address either, as it may be
 * a password that was typed into the wrong field.
 */
export type EventDetails = Readonly<Record<string, string | number | boolean>>;

/** An event, the account concerned, and who caused it. */
interface SecurityEventDraft {
  readonly event: SecurityEvent;
  readonly concerned: Concerned;
  readonly by: Actor;
  readonly details?: EventDetails;
}

/** Records security events after they have happened. It never gets a password, code, token or link. */
export interface SecurityEvents {
  record(happening: SecurityEventDraft): Promise<void>;
  /** The same in the background, so that the time of an answer does not show whether something was recorded. */
  recordInBackground(happening: SecurityEventDraft): void;
}
