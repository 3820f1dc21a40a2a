import { writeSync } from "node:fs";
import type { Clock } from "../core/clock.ts";
import type { FirstKeys, KeyFields } from "../core/keys/key-repository.ts";
import type { Secrets } from "../core/keys/secrets.ts";
import { EVERY_PERMISSION } from "../core/permissions.ts";

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
  isPublic: false,
  allowedOrigins: null,
  allowedNetworks: null,
  disabledReason: null,
  ownerEmail: null,
  active: true,
  endedBy: null,
  expiresAt: null,
};

interface Parts {
  readonly keys: FirstKeys;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Shows a new key once. It returns after the key was shown. Throws NotShown if nobody can see it. */
  readonly show: (key: string) => void;
}

/** Nobody reads what is shown. */
class NotShown extends Error {}

/**
 * Ensures that there is a first key: it sets the configured one, or creates one if the database has none. A new key is
 * shown just before it is stored. After a crash in between, the shown key does not work, and the next start creates
 * another one. So it does if nobody could see it: it is not stored then.
 */
export const ensureFirstKey = async (
  { keys, secrets, clock, show }: Parts,
  configured: string | null,
): Promise<void> => {
  if (configured !== null) {
    await keys.setBootstrap(SUPER_ADMIN, secrets.adopt(configured), clock.now());
    return;
  }
  const secret = secrets.issue(SUPER_ADMIN.appType, SUPER_ADMIN.appId);
  try {
    await keys.insertIfNone({ key: SUPER_ADMIN, secret, now: clock.now(), show: () => show(secret.key) });
  } catch (error) {
    if (!(error instanceof NotShown)) throw error;
  }
};

const frame = (...lines: readonly string[]): string => {
  const rule = "=".repeat(Math.max(...lines.map((line) => line.length)));
  return ["", rule, ...lines, rule, ""].join("\n");
};

/** The key in a conspicuous frame. */
const framed = (key: string): string =>
  frame(
    "Your first API key: a super-admin key with every permission.",
    "It is shown this once and stored only as a hash. Keep it safe.",
    "",
    key,
  );

const STANDARD_ERROR = 2;

const isFull = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === "EAGAIN";

/** Writes the key to standard error synchronously, without buffering. Throws NotShown if that is closed. */
export const showFirstKey = (key: string, to = STANDARD_ERROR): void => {
  const text = `${framed(key)}\n`;
  try {
    writeSync(to, text);
  } catch (error) {
    if (!isFull(error)) throw new NotShown("standard error is closed", { cause: error });
    // This call waits until there is room.
    process.stderr.write(text);
  }
};

/** The link for the first super-admin in the same kind of frame. */
export const framedLink = (link: string): string =>
  frame(
    "Set up the administration portal: this link makes its first super-admin.",
    "It works once, for 24 hours; each start makes a new one until somebody has used it.",
    "",
    link,
  );
