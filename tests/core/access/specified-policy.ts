import type { Permission } from "../../../core/access/permissions.ts";
import type { Binding, Operation } from "../../../core/access/policy.ts";

/** One operation as the specification has it. */
export interface SpecifiedRule {
  readonly operation: Operation;
  readonly needs: Permission;
  readonly bound: Binding;
}

/**
 * What every operation needs and what dealer binding does to it, read off the specification and the contract alone:
 * a second copy of the policy, on purpose, so that a slip in either one shows.
 */
const ROWS: readonly (readonly [Operation, Permission, Binding])[] = [
  // Vehicles (specification 4.4) and their images.
  ["vehicle.list", "vehicles:read", "filtered"],
  ["vehicle.read", "vehicles:read", "own"],
  ["vehicle.create", "vehicles:write", "overridden"],
  ["vehicle.update", "vehicles:write", "own"],
  ["vehicle.delete", "vehicles:delete", "own"],
  ["image.list", "vehicles:read", "own"],
  ["image.add", "vehicles:write", "own"],
  ["image.update", "vehicles:write", "own"],
  ["image.reorder", "vehicles:write", "own"],
  ["image.remove", "vehicles:write", "own"],

  // Dealers: a bound key sees its own alone, and neither founds nor closes one.
  ["dealer.list", "dealers:read", "filtered"],
  ["dealer.read", "dealers:read", "own"],
  ["dealer.create", "dealers:write", "never"],
  ["dealer.update", "dealers:write", "own"],
  ["dealer.deactivate", "dealers:delete", "never"],
  ["dealer.inventory", "vehicles:read", "own"],
  ["dealer.statistics", "dealers:read", "own"],

  // Keys: out of sight is not there; a bound caller's new key is bound to the caller's dealer.
  ["key.list", "keys:read", "sight"],
  ["key.read", "keys:read", "sight"],
  ["key.create", "keys:write", "overridden"],
  ["key.update", "keys:write", "sight"],
  ["key.revoke", "keys:write", "sight"],
  ["key.rotate", "keys:write", "sight"],
  ["key.grant", "keys:write", "sight"],
  ["key.withdraw", "keys:write", "sight"],
  ["key.usage", "keys:read", "sight"],
  ["key.delete", "keys:delete", "sight"],

  // Users: likewise.
  ["user.list", "users:read", "sight"],
  ["user.read", "users:read", "sight"],
  ["user.create", "users:write", "overridden"],
  ["user.update", "users:write", "sight"],
  ["user.deactivate", "users:delete", "sight"],
  ["user.invite", "users:write", "sight"],
  ["user.account", "users:read", "sight"],
  ["user.sessions", "users:read", "sight"],
  ["user.end-sessions", "users:write", "sight"],
  ["user.reset-second-factor", "users:write", "sight"],
  ["user.leave", "users:delete", "sight"],

  // What the portal shows first is made of the keys and dealers in sight.
  ["overview.read", "keys:read", "filtered"],

  ["audit.list", "audit:read", "filtered"],
];

export const SPECIFIED: readonly SpecifiedRule[] = ROWS.map(([operation, needs, bound]) => ({
  operation,
  needs,
  bound,
}));
