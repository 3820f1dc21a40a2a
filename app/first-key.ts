import { EVERY_PERMISSION } from "../core/access/permissions.ts";
import type { Clock } from "../core/clock.ts";
import type { FirstKeys, KeyFields } from "../core/keys/key-repository.ts";
import type { Secrets } from "../core/keys/secrets.ts";

const SUPER_ADMIN: KeyFields = {
  name: "First super-admin key",
  description: "Made at the first start. Has every permission.",
  appType: "desktop",
  appId: "bootstrap",
  association: "none",
  dealerId: null,
  userId: null,
  ownPermissions: EVERY_PERMISSION,
  rateLimit: null,
  active: true,
  endedBy: null,
  expiresAt: null,
};

interface Parts {
  readonly keys: FirstKeys;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/**
 * Sees to it that somebody can use the service: sets the configured key, or makes one if the database has none.
 * Returns the key made, which is shown this once; `null` when nothing is to be shown.
 */
export const ensureFirstKey = async (
  { keys, secrets, clock }: Parts,
  configured: string | null,
): Promise<string | null> => {
  if (configured !== null) {
    await keys.setBootstrap(SUPER_ADMIN, secrets.adopt(configured), clock.now());
    return null;
  }
  const secret = secrets.issue(SUPER_ADMIN.appType, SUPER_ADMIN.appId);
  return (await keys.insertIfNone(SUPER_ADMIN, secret, clock.now())) ? secret.key : null;
};

const frame = (...lines: readonly string[]): string => {
  const rule = "=".repeat(Math.max(...lines.map((line) => line.length)));
  return ["", rule, ...lines, rule, ""].join("\n");
};

/** The key in a frame that nobody overlooks. */
export const framed = (key: string): string =>
  frame(
    "Your first API key: a super-admin key with every permission.",
    "It is shown this once and stored only as a hash. Keep it safe.",
    "",
    key,
  );

/** The link of the first super-admin in such a frame. */
export const framedLink = (link: string): string =>
  frame(
    "Set up the administration portal: this link makes its first super-admin.",
    "It works once, for 24 hours; each start makes a new one until somebody has used it.",
    "",
    link,
  );
