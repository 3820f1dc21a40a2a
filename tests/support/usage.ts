import { OUTCOMES, type SeenKey, type UsageCounts } from "../../core/keys/usage-repository.ts";

/** Counts that are 0 by default. */
export const counts = (some: Partial<UsageCounts> = {}): UsageCounts => ({
  ...(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<keyof UsageCounts, number>),
  ...some,
});

/** A refused request. */
export const denial = (fields: { address?: string; code?: string } = {}) => ({
  status: 403,
  code: "permission_missing",
  method: "GET",
  route: "/api/vehicles/:id",
  address: "198.51.100.1",
  ...fields,
});

/** A key with its whole history visible. */
export const wholeHistoryOf = (id: number): SeenKey => ({ id, after: "" });
