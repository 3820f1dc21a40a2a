import type { Action } from "../../../core/permissions.ts";

/** Labels of the actions. */
export const ACTION_LABELS: Readonly<Record<Action, string>> = {
  read: "Read",
  write: "Add and change",
  delete: "Delete",
};
