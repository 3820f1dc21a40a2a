import type { Migration } from "./migration.ts";
import { grantToSuperAdmins } from "./super-admins.ts";

/** The positions of the new resources among the resources with permissions. */
const [FEEDS, WEBHOOKS] = [5, 6] as const;

/**
 * Permissions for feeds and webhooks. Super-admins who had every other permission get these too. Nothing changes for
 * others.
 */
export const feedPermissions: Migration = {
  name: "0026-feed-permissions",
  statements: () => [...grantToSuperAdmins(FEEDS), ...grantToSuperAdmins(WEBHOOKS)],
};
