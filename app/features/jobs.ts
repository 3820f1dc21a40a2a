import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import { jobRunner } from "../../adapters/sql/jobs/runner.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** The queue of work that goes on after a restart, by the kind of its jobs. */
export const wireJobs = ({ db, clock }: Shared, runs: Parameters<typeof jobRunner>[1]) => {
  const runner = jobRunner(makeJobs(db, clock), runs);
  return {
    uses: { runner },
    works: [{ start: ({ interrupted }) => runner.start(interrupted), stop: runner.stop }],
  } satisfies Feature;
};
