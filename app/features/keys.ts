import { keyRoutes } from "../../adapters/http/api/keys.ts";
import { meRoutes } from "../../adapters/http/api/me.ts";
import { usageRoutes } from "../../adapters/http/api/usage.ts";
import { makeKeyLives } from "../../adapters/sql/keys/lives.ts";
import { makeUsageRepository } from "../../adapters/sql/usage/repository.ts";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { recurring } from "../../adapters/system/recurring.ts";
import { secrets } from "../../adapters/system/secrets.ts";
import { includingUnsaved, listsIncludingUnsaved } from "../../adapters/usage/including-unsaved.ts";
import { usageWriter } from "../../adapters/usage/writer.ts";
import { makeKeys } from "../../core/keys/keys.ts";
import { makeKeyLife } from "../../core/keys/life.ts";
import { makeMe } from "../../core/keys/me.ts";
import { makeOverview } from "../../core/keys/overview.ts";
import { makeUsage } from "../../core/keys/usage.ts";
import type { Names } from "../../core/names/names.ts";
import { type Feature, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

const LIFE_MS = 10 * 60_000;

/** API keys, and their use. */
export const wireKeys = (shared: Shared, names: Names) => {
  const { db, clock, vehicles, dealers, users } = shared;
  const usageWritten = usageWriter(makeUsageStore(db), clock, crypto.randomUUID());
  const counted = includingUnsaved(makeUsageRepository(db), usageWritten);
  const stored = listsIncludingUnsaved(shared.keys, usageWritten);
  const keys = makeKeys({ keys: stored, users, dealers, secrets, clock, maxKeyDays: shared.maxKeyDays });
  const usage = makeUsage({ usage: counted, clock });
  const life = makeKeyLife({
    lives: makeKeyLives(db, shared.forgetAccess),
    clock,
    idleDays: shared.idleKeyDays,
    tell: shared.tellOfKey,
  });
  const me = makeMe({ keys: shared.keys, dealers });
  return {
    uses: {
      keys,
      usage,
      usageWritten,
      me,
      overview: makeOverview({ keys: stored, usage: counted, lastDays: usage, vehicles, dealers, clock }),
    },
    routes: () => [...keyRoutes({ keys, names, usage, clock }), ...usageRoutes(usage), ...meRoutes(me)],
    works: [reportingFailures(usageWritten), reportingFailures(recurring(clock, LIFE_MS, life))],
  } satisfies Feature;
};
