import type { Action, Resource } from "../../../core/access/permissions.ts";

/** Labels of the resources. */
export const RESOURCE_WORDS: Readonly<Record<Resource, string>> = {
  vehicles: "Vehicles",
  dealers: "Dealers",
  keys: "API keys",
  users: "Users",
  audit: "Audit log",
};

/** Labels of the actions. */
export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  read: "Read",
  write: "Add and change",
  delete: "Delete",
};
