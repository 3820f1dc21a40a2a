import type { Action, Resource } from "../../../core/access/permissions.ts";

/** What permissions are about, in words. */
export const RESOURCE_WORDS: Readonly<Record<Resource, string>> = {
  vehicles: "Vehicles",
  dealers: "Dealers",
  keys: "API keys",
  users: "Users",
  audit: "Audit log",
};

/** What permissions allow, in words. */
export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  read: "Read",
  write: "Add and change",
  delete: "Delete",
};
