import type { Binding, Operation } from "../../../core/access/policy.ts";
import type { Permission } from "../../../core/permissions.ts";

/** Every permission, in the order of the bits in stored sets. It can never change, because databases are in use. */
export const STORED_ORDER: readonly Permission[] = [
  "vehicles:read",
  "vehicles:write",
  "vehicles:delete",
  "dealers:read",
  "dealers:write",
  "dealers:delete",
  "keys:read",
  "keys:write",
  "keys:delete",
  "users:read",
  "users:write",
  "users:delete",
  "audit:read",
  "audit:write",
  "audit:delete",
  "feeds:read",
  "feeds:write",
  "feeds:delete",
  "webhooks:read",
  "webhooks:write",
  "webhooks:delete",
];

/** One operation as specified in docs/interface.md. */
export interface SpecifiedRule {
  readonly operation: Operation;
  /** `null` if every caller is admitted. */
  readonly needs: Permission | null;
  readonly bound: Binding;
  /** The other permission that it needs. */
  readonly alsoNeeds?: Permission;
  /** Public keys are refused. */
  readonly public?: "never";
}

/**
 * The permission and the dealer binding of every operation, written from interface 5.3 and 5.5 alone. It duplicates the
 * policy on purpose, so that a mistake in either one shows.
 */
const ROWS: readonly (readonly [Operation, Permission | null, Binding, also?: Permission])[] = [
  // Vehicles (interface 5.5) and their images.
  ["vehicle.list", "vehicles:read", "filtered"],
  ["vehicle.suggestions", "vehicles:read", "filtered"],
  ["vehicle.facets", "vehicles:read", "filtered"],
  ["vehicle.export", "vehicles:read", "filtered"],
  ["vehicle.read", "vehicles:read", "own"],
  ["vehicle.create", "vehicles:write", "overridden"],
  ["vehicle.update", "vehicles:write", "own"],
  ["vehicle.delete", "vehicles:delete", "own"],
  // Removed vehicles that are another dealer's do not exist for the caller.
  ["vehicle.removed", "vehicles:delete", "filtered"],
  ["vehicle.recent-changes", "vehicles:write", "filtered"],
  ["vehicle.revert", "vehicles:write", "visibility"],
  ["vehicle.restore", "vehicles:delete", "visibility"],
  ["vehicle.purge", "vehicles:delete", "visibility"],
  // A change of many vehicles needs, for each, what the same change of one vehicle needs.
  ["vehicle.bulk", null, "visibility"],
  // A VIN is decoded without any record.
  ["vehicle.vin", null, "shared"],
  ["vehicle.readiness", "vehicles:read", "own"],
  ["vehicle.quality", "vehicles:read", "filtered"],
  ["vehicle.history", "vehicles:read", "own"],
  ["vehicle.sale", "vehicles:write", "own"],
  ["vehicle.set-sale", "vehicles:write", "own"],
  ["vehicle.advice", "vehicles:write", "own"],
  ["vehicle.corrections", "vehicles:write", "own"],
  ["vehicle.take-file", "vehicles:write", "own"],
  ["image.list", "vehicles:read", "own"],
  ["image.add", "vehicles:write", "own"],
  ["image.update", "vehicles:write", "own"],
  ["image.reorder", "vehicles:write", "own"],
  ["image.remove", "vehicles:write", "own"],
  // Copies show nothing that reading the records would not.
  ["change.list", "vehicles:read", "filtered"],
  ["change.stream", "vehicles:read", "filtered"],

  // Dealers: a bound key sees only its own, and neither creates nor deactivates one.
  ["dealer.list", "dealers:read", "filtered"],
  ["dealer.read", "dealers:read", "own"],
  ["dealer.create", "dealers:write", "never"],
  ["dealer.update", "dealers:write", "own"],
  ["dealer.deactivate", "dealers:delete", "never"],
  ["dealer.inventory", "vehicles:read", "own"],
  ["dealer.statistics", "dealers:read", "own"],
  ["dealer.report", "dealers:read", "own"],
  ["dealer.today", "dealers:read", "own", "vehicles:read"],
  ["report.read", "dealers:read", "filtered"],

  // Keys: invisible ones do not exist for the caller; a bound caller's new key gets the caller's dealer.
  ["key.list", "keys:read", "visibility"],
  ["key.export", "keys:read", "visibility"],
  ["key.read", "keys:read", "visibility"],
  ["key.create", "keys:write", "overridden"],
  ["key.update", "keys:write", "visibility"],
  ["key.revoke", "keys:write", "visibility"],
  ["key.rotate", "keys:write", "visibility"],
  ["key.end-grace", "keys:write", "visibility"],
  ["key.grant", "keys:write", "visibility"],
  ["key.withdraw", "keys:write", "visibility"],
  ["key.usage", "keys:read", "visibility"],
  ["key.delete", "keys:delete", "visibility"],
  ["key.me", null, "filtered"],

  // Sources need what imports need.
  ["source.create", "vehicles:write", "overridden"],
  ["source.list", "vehicles:write", "filtered"],
  ["source.read", "vehicles:write", "visibility"],
  ["source.update", "vehicles:write", "visibility"],
  ["source.delete", "vehicles:write", "visibility"],
  ["source.run", "vehicles:write", "visibility"],

  // Scheduled changes need what changes of vehicles need.
  ["schedule.create", "vehicles:write", "visibility"],
  ["schedule.list", "vehicles:write", "filtered"],
  ["schedule.read", "vehicles:write", "visibility"],
  ["schedule.cancel", "vehicles:write", "visibility"],

  // Users: likewise.
  ["user.list", "users:read", "visibility"],
  ["user.read", "users:read", "visibility"],
  ["user.create", "users:write", "overridden"],
  ["user.update", "users:write", "visibility"],
  ["user.deactivate", "users:delete", "visibility"],
  ["user.invite", "users:write", "visibility"],
  ["user.account", "users:read", "visibility"],
  ["user.sessions", "users:read", "visibility"],
  ["user.end-sessions", "users:write", "visibility"],
  ["user.reset-second-factor", "users:write", "visibility"],
  ["user.leave", "users:delete", "visibility"],
  ["user.left", "users:read", "visibility"],
  ["user.return", "users:delete", "visibility"],

  // The portal's start page summarizes the visible keys and dealers.
  ["overview.read", "keys:read", "filtered"],

  ["audit.list", "audit:read", "filtered"],
  ["audit.export", "audit:read", "filtered"],

  // Imports of another dealer do not exist for the caller.
  ["vehicle.batch", "vehicles:write", "overridden"],
  ["import.create", "vehicles:write", "overridden"],
  ["import.list", "vehicles:write", "filtered"],
  ["import.read", "vehicles:write", "visibility"],
  ["import.rows", "vehicles:write", "visibility"],
  ["import.errors", "vehicles:write", "visibility"],
  ["import.mend", "vehicles:write", "visibility"],
  ["import.run", "vehicles:write", "visibility"],
  ["import.confirm", "vehicles:write", "visibility"],
  ["import.cancel", "vehicles:write", "visibility"],
  ["import.delete", "vehicles:write", "visibility"],
  ["mapping.create", "vehicles:write", "overridden"],
  ["mapping.list", "vehicles:write", "filtered"],
  ["mapping.read", "vehicles:write", "visibility"],
  ["mapping.update", "vehicles:write", "visibility"],
  ["mapping.delete", "vehicles:write", "visibility"],
  // What shows or serves vehicles also needs the right to read them.
  ["feed.create", "feeds:write", "overridden", "vehicles:read"],
  ["feed.list", "feeds:read", "filtered"],
  ["feed.read", "feeds:read", "visibility"],
  ["feed.update", "feeds:write", "visibility", "vehicles:read"],
  ["feed.rotate", "feeds:write", "visibility", "vehicles:read"],
  ["feed.release", "feeds:write", "visibility"],
  ["feed.preview", "feeds:read", "visibility", "vehicles:read"],
  ["feed.readiness", "feeds:read", "visibility"],
  ["feed.findings", "feeds:read", "visibility", "vehicles:read"],
  ["feed.delete", "feeds:delete", "visibility"],
  // Whoever makes or changes what is sent also needs the right to read it.
  ["webhook.create", "webhooks:write", "overridden", "vehicles:read"],
  ["webhook.list", "webhooks:read", "filtered"],
  ["webhook.read", "webhooks:read", "visibility"],
  ["webhook.update", "webhooks:write", "visibility", "vehicles:read"],
  ["webhook.rotate", "webhooks:write", "visibility", "vehicles:read"],
  ["webhook.enable", "webhooks:write", "visibility", "vehicles:read"],
  ["webhook.test", "webhooks:write", "visibility"],
  ["webhook.recover", "webhooks:write", "visibility", "vehicles:read"],
  ["webhook.deliveries", "webhooks:read", "visibility"],
  ["webhook.redeliver", "webhooks:write", "visibility", "vehicles:read"],
  ["webhook.delete", "webhooks:delete", "visibility"],

  // What the portal shows is read by everybody, and changed by super-admins who may change users.
  ["settings.read", null, "shared"],
  ["settings.update", "users:write", "super-admins"],
];

/** What is for those who run a lot, and not for the pages that show it (interface 5.10). */
export const NOT_FOR_PAGES: readonly Operation[] = [
  "vehicle.export",
  "vehicle.readiness",
  "vehicle.quality",
  "dealer.report",
  "dealer.today",
  "report.read",
  "change.list",
  "change.stream",
];

/** Every operation. */
export const SPECIFIED: readonly SpecifiedRule[] = ROWS.map(([operation, needs, bound, alsoNeeds]) => ({
  operation,
  needs,
  bound,
  ...(alsoNeeds !== undefined && { alsoNeeds }),
  ...(NOT_FOR_PAGES.includes(operation) && { public: "never" }),
}));
