import type { ReadinessCounts } from "../../../core/readiness/count.ts";
import { useRecord } from "../api/queries.ts";

/** The service looks at each vehicle of a feed to answer it; every change asks anew. */
const STALE_MS = 60_000;

/** How many vehicles of a feed are ready, and what the others lack. */
export const useFeedReadiness = (id: number) =>
  useRecord<ReadinessCounts>(`/feeds/${id}/readiness`, {}, { staleMs: STALE_MS });
