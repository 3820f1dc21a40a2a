import { admit } from "../access/decide.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { type Visibility, visibilityOfKeys } from "../access/visibility.ts";
import { hourOf, type Timestamp, timestampAt } from "../clock.ts";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** What a reader may see of dealers' figures. What they may not see is unset, also for an order or a filter. */
export interface FigureSight {
  readonly keys: Visibility | null;
  readonly feeds: boolean;
  readonly files: boolean;
  /** The hour from which on refused requests count: the present one and the 23 before. */
  readonly usageFrom: Timestamp;
}

/** What this caller may see of the figures. */
export const figureSightOf = (caller: Principal, nowMs: number): FigureSight => {
  const maySee = (operation: Operation): boolean => admit(caller, operation) === null;
  return {
    keys: maySee("key.list") ? visibilityOfKeys(caller) : null,
    feeds: maySee("feed.list"),
    files: maySee("import.list"),
    usageFrom: hourOf(timestampAt(nowMs - (DAY_HOURS - 1) * HOUR_MS)),
  };
};

/** A dealer whose vehicles have a lower mean score needs help. */
export const LOW_SCORE = 70;
/** A key is refused often if so many of its requests in 24 hours were refused, and they are a tenth of all or more. */
export const OFTEN_REFUSED = 20;
