import { OUTCOMES, type SeenKey, type UsageCounts } from "../../core/keys/usage-repository.ts";

/** Counts that are 0 unless they are given. */
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

/** A key whose whole past is told. */
export const wholePastOf = (id: number): SeenKey => ({ id, after: "" });
