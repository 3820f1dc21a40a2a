import type { Permission } from "./permissions.ts";

/**
 * How an operation treats a key that is bound to a dealer (specification 4.4).
 * - `filtered`: sees its dealer's records only, without being told of others
 * - `overridden`: whatever dealer it names, the record becomes its dealer's
 * - `own`: its dealer's records; another dealer's are refused
 * - `never`: refused, whatever it asks
 * - `sight`: records out of its sight do not exist for it (keys and users)
 */
export type Binding = "filtered" | "overridden" | "own" | "never" | "sight";

export interface Rule {
  readonly needs: Permission;
  readonly bound: Binding;
}

/** THE TABLE: what every operation needs, and how dealer binding applies to it. What is not here does not exist. */
export const POLICY = {
  "vehicle.list": { needs: "vehicles:read", bound: "filtered" },
  "vehicle.read": { needs: "vehicles:read", bound: "own" },
  "vehicle.create": { needs: "vehicles:write", bound: "overridden" },
  "vehicle.update": { needs: "vehicles:write", bound: "own" },
  "vehicle.delete": { needs: "vehicles:delete", bound: "own" },

  "image.list": { needs: "vehicles:read", bound: "own" },
  "image.add": { needs: "vehicles:write", bound: "own" },
  "image.update": { needs: "vehicles:write", bound: "own" },
  "image.reorder": { needs: "vehicles:write", bound: "own" },
  "image.remove": { needs: "vehicles:write", bound: "own" },

  "dealer.list": { needs: "dealers:read", bound: "filtered" },
  "dealer.read": { needs: "dealers:read", bound: "own" },
  "dealer.create": { needs: "dealers:write", bound: "never" },
  "dealer.update": { needs: "dealers:write", bound: "own" },
  "dealer.deactivate": { needs: "dealers:delete", bound: "never" },
  "dealer.inventory": { needs: "vehicles:read", bound: "own" },
  "dealer.statistics": { needs: "dealers:read", bound: "own" },

  "key.list": { needs: "keys:read", bound: "sight" },
  "key.read": { needs: "keys:read", bound: "sight" },
  "key.create": { needs: "keys:write", bound: "overridden" },
  "key.update": { needs: "keys:write", bound: "sight" },
  "key.revoke": { needs: "keys:write", bound: "sight" },
  "key.rotate": { needs: "keys:write", bound: "sight" },
  "key.grant": { needs: "keys:write", bound: "sight" },
  "key.withdraw": { needs: "keys:write", bound: "sight" },
  "key.usage": { needs: "keys:read", bound: "sight" },
  "key.delete": { needs: "keys:delete", bound: "sight" },

  "user.list": { needs: "users:read", bound: "sight" },
  "user.read": { needs: "users:read", bound: "sight" },
  "user.create": { needs: "users:write", bound: "overridden" },
  "user.update": { needs: "users:write", bound: "sight" },
  "user.deactivate": { needs: "users:delete", bound: "sight" },
  "user.invite": { needs: "users:write", bound: "sight" },
  "user.account": { needs: "users:read", bound: "sight" },
  "user.sessions": { needs: "users:read", bound: "sight" },
  "user.end-sessions": { needs: "users:write", bound: "sight" },
  "user.reset-second-factor": { needs: "users:write", bound: "sight" },
  "user.leave": { needs: "users:delete", bound: "sight" },

  "overview.read": { needs: "keys:read", bound: "filtered" },

  "audit.list": { needs: "audit:read", bound: "filtered" },
} as const satisfies Record<string, Rule>;

/** Every operation of the service. */
export type Operation = keyof typeof POLICY;
