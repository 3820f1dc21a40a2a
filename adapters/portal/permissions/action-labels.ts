import type { Action } from "../../../core/access/permissions.ts";

/** Labels of the actions. */
export const ACTION_LABELS: Readonly<Record<Action, string>> = {
  read: "Read",
  write: "Add and change",
  delete: "Delete",
};
