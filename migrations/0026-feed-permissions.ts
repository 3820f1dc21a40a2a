import type { Migration } from "./migration.ts";
import { grantToSuperAdmins } from "./super-admins.ts";

/** The places of the new resources among those with permissions. */
const [FEEDS, WEBHOOKS] = [5, 6] as const;

/**
 * Permissions for feeds and webhooks. Super-admins who held every other permission hold these too; all others keep what
 * they have.
 */
export const feedPermissions: Migration = {
  name: "0026-feed-permissions",
  statements: () => [...grantToSuperAdmins(FEEDS), ...grantToSuperAdmins(WEBHOOKS)],
};
