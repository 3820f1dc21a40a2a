/**
 * Mutants by name that only the deep run notices, each with the reason. They are few, one in fifty at most, and none is
 * of a vital area (`isVital` in areas/area.ts) or widens what a caller reaches.
 */
export const DEEP_ONLY: Readonly<Record<string, string>> = {};
