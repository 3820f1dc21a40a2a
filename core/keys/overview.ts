import { admit, scopeOf } from "../access/decide.ts";
import type { Operation } from "../access/policy.ts";
import { useCase } from "../access/use-case.ts";
import { visibilityOfKeys } from "../access/visibility.ts";
import type { Clock } from "../clock.ts";
import type { DealerRepository } from "../dealers/dealer-repository.ts";
import type { Outcome } from "../failure.ts";
import { COUNT_ONLY } from "../page.ts";
import type { VehicleRepository } from "../vehicles/vehicle-repository.ts";
import { type PresentedKey, presentKey } from "./key.ts";
import type { KeyRepository } from "./key-repository.ts";
import type { LastDay } from "./refusals.ts";
import type { Usage } from "./usage.ts";
import { lastDay } from "./usage.ts";
import type { UsageHour, UsageRepository } from "./usage-repository.ts";

interface Ports {
  readonly keys: Pick<KeyRepository, "list">;
  readonly usage: Pick<UsageRepository, "totals">;
  readonly lastDays: Pick<Usage, "addLastDays">;
  readonly vehicles: Pick<VehicleRepository, "list">;
  readonly dealers: Pick<DealerRepository, "list">;
  readonly clock: Clock;
}

/** The data for the start page of key management, limited to the keys and dealers that the caller sees. */
export interface Overview {
  /** The last 24 hours, the oldest first. Hours without requests are left out. */
  readonly requests: readonly UsageHour[];
  /** Active keys that expire within 30 days, those that expire first come first. */
  readonly expiring_keys: readonly PresentedKey[];
  readonly expiring_total: number;
  /** Active keys that were neither used nor created in the last 90 days, those idle for longest come first. */
  readonly idle_keys: readonly PresentedKey[];
  readonly idle_total: number;
  /** Keys that the service switches off because nobody uses them, and those that it has switched off, the newest first. */
  readonly unused_keys: readonly PresentedKey[];
  readonly unused_total: number;
  /** Keys that were refused in the last 24 hours, those with most refused requests first. */
  readonly most_refused: readonly (PresentedKey & LastDay)[];
  readonly refused_total: number;
  readonly active_keys: number;
  /** `null` if the caller lacks the permission to read them. */
  readonly vehicles: number | null;
  readonly dealers: number | null;
}

const DAY_SECONDS = 86_400;
const EXPIRING_DAYS = 30;
const IDLE_DAYS = 90;
const FIRST_PAGE = { limit: 20, offset: 0 };
const MOST_REFUSED = { limit: 5, offset: 0 };

export const makeOverview = ({ keys, usage, lastDays, vehicles, dealers, clock }: Ports) => ({
  read: useCase("overview.read", async (principal): Promise<Outcome<Overview>> => {
    const visibility = visibilityOfKeys(principal);
    const scope = scopeOf(principal);
    const now = clock.now();
    const status = { is: "active", at: now } as const;
    const expiresBefore = clock.after(EXPIRING_DAYS * DAY_SECONDS);
    const idleSince = clock.after(-IDLE_DAYS * DAY_SECONDS);
    const expiring = await keys.list({
      visibility,
      filter: { status, expiresBefore },
      page: FIRST_PAGE,
      order: { by: "expires", ascending: true },
    });
    const idle = await keys.list({
      visibility,
      filter: { status, idleSince },
      page: FIRST_PAGE,
      order: { by: "last_used", ascending: true },
    });
    const unused = await keys.list({ visibility, filter: { isUnused: true }, page: FIRST_PAGE });
    const day = lastDay(clock.nowMs());
    const refused = await keys.list({
      visibility,
      filter: { refusedSince: day.first },
      page: MOST_REFUSED,
      order: { by: "refused", ascending: false },
      usageFrom: day.first,
    });
    const maySee = (operation: Operation): boolean => admit(principal, operation) === null;
    return {
      requests: await usage.totals(visibility, day),
      expiring_keys: expiring.items.map((key) => presentKey(key, now)),
      expiring_total: expiring.total,
      idle_keys: idle.items.map((key) => presentKey(key, now)),
      idle_total: idle.total,
      unused_keys: unused.items.map((key) => presentKey(key, now)),
      unused_total: unused.total,
      most_refused: await lastDays.addLastDays(
        principal,
        refused.items.map((key) => presentKey(key, now)),
      ),
      refused_total: refused.total,
      active_keys: (await keys.list({ visibility, filter: { status }, page: COUNT_ONLY })).total,
      vehicles: maySee("vehicle.list")
        ? (await vehicles.list({ scope, filter: {}, page: COUNT_ONLY, from: null })).total
        : null,
      dealers: maySee("dealer.list") ? (await dealers.list({ scope, filter: {}, page: COUNT_ONLY })).total : null,
    };
  }),
});

export type OverviewOfKeys = ReturnType<typeof makeOverview>;
