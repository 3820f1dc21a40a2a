import { normalPassword } from "../../core/sign-in/password-rules.ts";

/** Argon2id with the cost that OWASP recommends: 19 MiB and two passes. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/**
 * A hash of an unknown random value, of the same cost: compared with when a user has no password, so that the refusal
 * takes as long.
 */
const DECOY =
  "$argon2id$v=19$m=19456,t=2,p=1$zuAWC4x6MmtQTwAmPumiQvrABZWEowTUGq8bqH5y66Q$BA1KFEESQQpEltYByMHAYbmsknWUzttwHMGanCB0anY";

/** Hashes the whole password, however long it is. */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(normalPassword(password), COST);

/** False for every password where `hash` is `null`. */
export const isPassword = async (password: string, hash: string | null): Promise<boolean> => {
  const stored = hash ?? DECOY;
  const normal = normalPassword(password);
  if (await Bun.password.verify(normal, stored)) return hash !== null;
  // An old hash may be of the password as typed, before passwords were normalized.
  return normal !== password && (await Bun.password.verify(password, stored)) && hash !== null;
};
