import type { Registry } from "../adapters/metrics/registry.ts";
import { watchChangesLag } from "../adapters/sql/change-feed/lag.ts";
import { watchJobs } from "../adapters/sql/jobs/counts.ts";
import type { SqlDatabase } from "../adapters/sql/query/database.ts";
import type { Clock, Timers } from "../core/clock.ts";
import type { Feature } from "./features/feature.ts";

interface Parts {
  readonly registry: Registry;
  readonly db: SqlDatabase;
  readonly clock: Clock & Timers;
  readonly features: readonly Feature[];
}

/** Adds the metrics of work beside requests. Returns how they are watched no longer. */
export const addWorkMetrics = ({ registry, db, clock, features }: Parts): (() => void) => {
  for (const { name, help, label, tally } of features.flatMap(({ counted = [] }) => counted))
    registry.counter(name, help, () => tally.entries.map(([word, value]) => ({ labels: { [label]: word }, value })));
  const jobs = watchJobs(db, clock);
  registry.gauge("inventory_jobs", "Jobs in the database, by kind and state.", () =>
    jobs.counts === null
      ? null
      : jobs.counts.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
  );
  const lag = watchChangesLag(db, clock);
  registry.gauge(
    "inventory_changes_lag_seconds",
    "Age of the oldest change that readers of changes cannot see yet.",
    () => lag.seconds,
  );
  return () => {
    jobs.stop();
    lag.stop();
  };
};
