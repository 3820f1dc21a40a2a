import { normalPassword } from "../../core/sign-in/password-rules.ts";

/** What one hash takes: memory in KiB, and passes over it. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** The cost that OWASP recommends for argon2id: 19 MiB and two passes. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

/** Makes and compares password hashes (argon2id). */
export interface Passwords {
  /** Hashes the whole password, however long it is. */
  hashPassword(password: string): Promise<string>;
  /** False for every password if `hash` is `null`, after the time that a hash takes. */
  isPassword(password: string, hash: string | null): Promise<boolean>;
}

/** Passwords whose new hashes have this cost; a stored hash contains its own. */
export const passwordsOf = ({ memoryCost, timeCost }: PasswordCost): Passwords => {
  /**
   * A hash of an unknown random value at the same cost. Users without a password are compared with it, so that their
   * refusal takes as long.
   */
  const decoy = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$zuAWC4x6MmtQTwAmPumiQvrABZWEowTUGq8bqH5y66Q$BA1KFEESQQpEltYByMHAYbmsknWUzttwHMGanCB0anY`;
  return {
    hashPassword: (password) =>
      Bun.password.hash(normalPassword(password), { algorithm: "argon2id", memoryCost, timeCost }),
    async isPassword(password, hash) {
      const stored = hash ?? decoy;
      const normal = normalPassword(password);
      if (await Bun.password.verify(normal, stored)) return hash !== null;
      // An old hash may be of the password as typed, before passwords were normalized.
      return normal !== password && (await Bun.password.verify(password, stored)) && hash !== null;
    },
  };
};
