import type { ReadinessCounts } from "../../../core/readiness/count.ts";
import { useRecord } from "../api/queries.ts";

/** The service checks every vehicle of a feed for this answer; changes in the portal refetch it earlier. */
const STALE_MS = 60_000;

/** How many vehicles of a feed are ready, and what the others lack. */
export const useFeedReadiness = (id: number) =>
  useRecord<ReadinessCounts>(`/feeds/${id}/readiness`, {}, { staleMs: STALE_MS });
