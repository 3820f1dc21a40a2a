import type { Clock, Timestamp } from "../clock.ts";
import { type DealerScope, scopeOf } from "./decide.ts";
import type { Actor, Principal } from "./principal.ts";

/** Which record is changed, in which scope it must be, and who changes it when. */
export interface ScopedChange {
  readonly id: number;
  readonly scope: DealerScope;
  readonly now: Timestamp;
  readonly by: Actor;
}

/** Describes changes by callers, who reach the records in their scope. */
export const scopedChanges =
  (clock: Pick<Clock, "now">) =>
  (by: Principal, id: number): ScopedChange => ({ id, scope: scopeOf(by), now: clock.now(), by });
