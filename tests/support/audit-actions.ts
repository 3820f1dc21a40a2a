import { type Action, AUDITED, storedNamesOf } from "../../core/audit/actions.ts";

/** The action whose filter also finds this one: `key.changed` for `key.revoked`. */
export const coarse = (action: Action): Action =>
  Object.keys(AUDITED)
    .map((name) => name as keyof typeof AUDITED)
    .find((name) => name !== action && storedNamesOf(name).includes(action)) ?? action;
