import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { Outcome } from "../failure.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Settings } from "./installation.ts";

/** What the settings become, and the fields that were sent, for the audit log. */
export interface SettingsDecision {
  readonly after: Settings;
  readonly sent: readonly string[];
}

/** The settings in the database. */
export interface SettingsRepository {
  /** The settings, or the default ones. Kept in memory; a change is seen here at once, elsewhere within a second. */
  read(): MaybePromise<Settings>;
  /**
   * Changes the settings as `decide` says of the present ones, which nobody else changes meanwhile. `updated_at` always
   * grows.
   */
  change(
    change: { readonly now: Timestamp; readonly by: Actor },
    decide: (present: Settings) => Outcome<SettingsDecision>,
  ): Promise<Outcome<Settings>>;
}
