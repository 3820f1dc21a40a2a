import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Settings, SettingsChanges } from "./installation.ts";

/** The settings in the database. */
export interface SettingsRepository {
  /** The settings, or the default ones. Kept in memory; a change is seen here at once, elsewhere within a second. */
  read(): MaybePromise<Settings>;
  /**
   * Sets the fields that are there. `updated_at` always grows. `null`, with nothing changed, when `versions` does not
   * name the present one.
   */
  update(change: {
    readonly changes: SettingsChanges;
    readonly now: Timestamp;
    readonly versions: readonly Timestamp[] | null;
    readonly by: Actor;
  }): Promise<Settings | null>;
}
