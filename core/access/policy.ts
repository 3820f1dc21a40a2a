import type { Permission } from "../permissions.ts";
import type { RecordWord } from "../resources.ts";

/**
 * How an operation treats a key that is bound to a dealer (interface 5.5).
 *
 * - `filtered`: it sees only its dealer's records and learns nothing of others
 * - `overridden`: the record becomes its dealer's, whatever dealer it names
 * - `own`: it reaches its dealer's records; those of other dealers are refused
 * - `never`: it is always refused
 * - `visibility`: keys, users and removed vehicles that it does not see do not exist for it
 * - `shared`: there is one for everybody
 * - `super-admins`: only super-admins are admitted, other callers are refused whether they are bound or not
 */
export type Binding = "filtered" | "overridden" | "own" | "never" | "visibility" | "shared" | "super-admins";

export interface Rule {
  /** `null` if every caller is admitted. */
  readonly needs: Permission | null;
  /** A second permission, where what is answered or served also needs it. */
  readonly alsoNeeds?: Permission;
  readonly bound: Binding;
  /** Public keys are refused: it is for those who run a lot, and not for the pages that show it. */
  readonly public?: "never";
}

/**
 * THE TABLE: the permission that each operation needs, and how dealer binding applies. Operations without a row do not
 * exist.
 */
export const POLICY = {
  "vehicle.list": { needs: "vehicles:read", bound: "filtered" },
  "vehicle.export": { needs: "vehicles:read", bound: "filtered", public: "never" },
  "vehicle.suggestions": { needs: "vehicles:read", bound: "filtered" },
  "vehicle.facets": { needs: "vehicles:read", bound: "filtered" },
  "vehicle.vin": { needs: null, bound: "shared" },
  "vehicle.read": { needs: "vehicles:read", bound: "own" },
  "vehicle.create": { needs: "vehicles:write", bound: "overridden" },
  "vehicle.update": { needs: "vehicles:write", bound: "own" },
  "vehicle.delete": { needs: "vehicles:delete", bound: "own" },
  "vehicle.removed": { needs: "vehicles:delete", bound: "filtered" },
  "vehicle.restore": { needs: "vehicles:delete", bound: "visibility" },
  // The permission depends on the body: changes need that of `vehicle.update`, removals that of `vehicle.delete`.
  "vehicle.bulk": { needs: null, bound: "visibility" },
  "vehicle.batch": { needs: "vehicles:write", bound: "overridden" },
  "vehicle.purge": { needs: "vehicles:delete", bound: "visibility" },
  "vehicle.readiness": { needs: "vehicles:read", bound: "own", public: "never" },
  "vehicle.quality": { needs: "vehicles:read", bound: "filtered", public: "never" },
  "vehicle.recent-changes": { needs: "vehicles:write", bound: "filtered" },
  "vehicle.revert": { needs: "vehicles:write", bound: "visibility" },
  "vehicle.history": { needs: "vehicles:read", bound: "own" },
  "vehicle.sale": { needs: "vehicles:write", bound: "own" },
  "vehicle.set-sale": { needs: "vehicles:write", bound: "own" },
  "vehicle.advice": { needs: "vehicles:write", bound: "own" },
  "vehicle.corrections": { needs: "vehicles:write", bound: "own" },
  "vehicle.take-file": { needs: "vehicles:write", bound: "own" },

  // When its time comes, the service checks again what its maker may change.
  "schedule.create": { needs: "vehicles:write", bound: "visibility" },
  "schedule.list": { needs: "vehicles:write", bound: "filtered" },
  "schedule.read": { needs: "vehicles:write", bound: "visibility" },
  "schedule.cancel": { needs: "vehicles:write", bound: "visibility" },

  // A public key would let every visitor of a page copy the whole inventory. Dealers also need `dealers:read`.
  "change.list": { needs: "vehicles:read", bound: "filtered", public: "never" },
  "change.stream": { needs: "vehicles:read", bound: "filtered", public: "never" },

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
  "dealer.report": { needs: "dealers:read", bound: "own", public: "never" },
  "dealer.today": { needs: "dealers:read", alsoNeeds: "vehicles:read", bound: "own", public: "never" },

  "key.list": { needs: "keys:read", bound: "visibility" },
  "key.export": { needs: "keys:read", bound: "visibility" },
  "key.read": { needs: "keys:read", bound: "visibility" },
  "key.create": { needs: "keys:write", bound: "overridden" },
  "key.update": { needs: "keys:write", bound: "visibility" },
  "key.revoke": { needs: "keys:write", bound: "visibility" },
  "key.rotate": { needs: "keys:write", bound: "visibility" },
  "key.end-grace": { needs: "keys:write", bound: "visibility" },
  "key.grant": { needs: "keys:write", bound: "visibility" },
  "key.withdraw": { needs: "keys:write", bound: "visibility" },
  "key.usage": { needs: "keys:read", bound: "visibility" },
  "key.delete": { needs: "keys:delete", bound: "visibility" },
  "key.me": { needs: null, bound: "filtered" },

  "user.list": { needs: "users:read", bound: "visibility" },
  "user.read": { needs: "users:read", bound: "visibility" },
  "user.create": { needs: "users:write", bound: "overridden" },
  "user.update": { needs: "users:write", bound: "visibility" },
  "user.deactivate": { needs: "users:delete", bound: "visibility" },
  "user.invite": { needs: "users:write", bound: "visibility" },
  "user.account": { needs: "users:read", bound: "visibility" },
  "user.sessions": { needs: "users:read", bound: "visibility" },
  "user.end-sessions": { needs: "users:write", bound: "visibility" },
  "user.reset-second-factor": { needs: "users:write", bound: "visibility" },
  "user.leave": { needs: "users:delete", bound: "visibility" },
  "user.left": { needs: "users:read", bound: "visibility" },
  "user.return": { needs: "users:delete", bound: "visibility" },

  // Each run checks again what the user or key that last changed the source may import.
  "source.create": { needs: "vehicles:write", bound: "overridden" },
  "source.list": { needs: "vehicles:write", bound: "filtered" },
  "source.read": { needs: "vehicles:write", bound: "visibility" },
  "source.update": { needs: "vehicles:write", bound: "visibility" },
  "source.delete": { needs: "vehicles:write", bound: "visibility" },
  "source.run": { needs: "vehicles:write", bound: "visibility" },

  "overview.read": { needs: "keys:read", bound: "filtered" },

  "report.read": { needs: "dealers:read", bound: "filtered", public: "never" },

  // While an import runs, the service checks repeatedly what its maker may do with vehicles.
  "import.create": { needs: "vehicles:write", bound: "overridden" },
  "import.list": { needs: "vehicles:write", bound: "filtered" },
  "import.read": { needs: "vehicles:write", bound: "visibility" },
  "import.rows": { needs: "vehicles:write", bound: "visibility" },
  "import.errors": { needs: "vehicles:write", bound: "visibility" },
  "import.mend": { needs: "vehicles:write", bound: "visibility" },
  "import.run": { needs: "vehicles:write", bound: "visibility" },
  "import.confirm": { needs: "vehicles:write", bound: "visibility" },
  "import.cancel": { needs: "vehicles:write", bound: "visibility" },
  "import.delete": { needs: "vehicles:write", bound: "visibility" },

  "mapping.create": { needs: "vehicles:write", bound: "overridden" },
  "mapping.list": { needs: "vehicles:write", bound: "filtered" },
  "mapping.read": { needs: "vehicles:write", bound: "visibility" },
  "mapping.update": { needs: "vehicles:write", bound: "visibility" },
  "mapping.delete": { needs: "vehicles:write", bound: "visibility" },

  // Whoever makes or changes a feed, or sees its vehicles, must be able to read them. A feed is then served with their
  // rights, which are checked again at each fetch.
  "feed.create": { needs: "feeds:write", alsoNeeds: "vehicles:read", bound: "overridden" },
  "feed.list": { needs: "feeds:read", bound: "filtered" },
  "feed.read": { needs: "feeds:read", bound: "visibility" },
  "feed.update": { needs: "feeds:write", alsoNeeds: "vehicles:read", bound: "visibility" },
  "feed.rotate": { needs: "feeds:write", alsoNeeds: "vehicles:read", bound: "visibility" },
  "feed.release": { needs: "feeds:write", bound: "visibility" },
  "feed.preview": { needs: "feeds:read", alsoNeeds: "vehicles:read", bound: "visibility" },
  "feed.readiness": { needs: "feeds:read", bound: "visibility" },
  "feed.findings": { needs: "feeds:read", alsoNeeds: "vehicles:read", bound: "visibility" },
  "feed.delete": { needs: "feeds:delete", bound: "visibility" },

  // Whoever makes or changes a webhook becomes its maker. It is told only of what its maker may read at that time.
  "webhook.create": { needs: "webhooks:write", alsoNeeds: "vehicles:read", bound: "overridden" },
  "webhook.list": { needs: "webhooks:read", bound: "filtered" },
  "webhook.read": { needs: "webhooks:read", bound: "visibility" },
  "webhook.update": { needs: "webhooks:write", alsoNeeds: "vehicles:read", bound: "visibility" },
  "webhook.rotate": { needs: "webhooks:write", alsoNeeds: "vehicles:read", bound: "visibility" },
  "webhook.enable": { needs: "webhooks:write", alsoNeeds: "vehicles:read", bound: "visibility" },
  "webhook.test": { needs: "webhooks:write", bound: "visibility" },
  "webhook.recover": { needs: "webhooks:write", alsoNeeds: "vehicles:read", bound: "visibility" },
  "webhook.deliveries": { needs: "webhooks:read", bound: "visibility" },
  "webhook.redeliver": { needs: "webhooks:write", alsoNeeds: "vehicles:read", bound: "visibility" },
  "webhook.delete": { needs: "webhooks:delete", bound: "visibility" },

  "audit.list": { needs: "audit:read", bound: "filtered" },
  "audit.export": { needs: "audit:read", bound: "filtered" },

  "settings.read": { needs: null, bound: "shared" },
  // A super-admin's key may belong to a website that only reads. It must not change what everybody sees.
  "settings.update": { needs: "users:write", bound: "super-admins" },
} as const satisfies Record<`${RecordWord}.${string}`, Rule>;

/** Every operation of the service. */
export type Operation = keyof typeof POLICY;

/** The permissions that an operation needs, its own one first. */
export const permissionsNeededFor = (operation: Operation): readonly Permission[] => {
  const { needs, alsoNeeds }: Rule = POLICY[operation];
  return [needs, alsoNeeds].filter((permission) => permission !== null && permission !== undefined);
};
