import { type Action, AUDITED, storedNamesOf } from "../../core/audit/actions.ts";

/** The action that finds this one and those beside it: `key.changed` of `key.revoked`. */
export const coarse = (action: Action): Action =>
  Object.keys(AUDITED)
    .map((name) => name as keyof typeof AUDITED)
    .find((name) => name !== action && storedNamesOf(name).includes(action)) ?? action;
