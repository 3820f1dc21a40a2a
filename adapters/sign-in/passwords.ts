import { normalPassword } from "../../core/sign-in/password-rules.ts";

/** Argon2id with the cost that OWASP recommends: 19 MiB and two passes for each password looked at. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** A hash of the same cost of something random that nobody knows: compared with where there is no password, so that it takes as long to say no. */
const DECOY =
  "$argon2id$v=19$m=19456,t=2,p=1$zuAWC4x6MmtQTwAmPumiQvrABZWEowTUGq8bqH5y66Q$BA1KFEESQQpEltYByMHAYbmsknWUzttwHMGanCB0anY";

/** Hashes the whole password: nothing of it is left out, however long it is. */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(normalPassword(password), COST);

/** False for every password where `hash` is `null`. */
export const isPassword = async (password: string, hash: string | null): Promise<boolean> => {
  const stored = hash ?? DECOY;
  const normal = normalPassword(password);
  if (await Bun.password.verify(normal, stored)) return hash !== null;
  // A hash made before passwords were normalised is of the characters as they were typed.
  return normal !== password && (await Bun.password.verify(password, stored)) && hash !== null;
};
