import { normalPassword } from "../../core/sign-in/password-rules.ts";

/** The cost of one hash: memory in KiB, and the number of passes over it. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** The cost that OWASP recommends for argon2id: 19 MiB and two passes. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

/** Makes and compares password hashes (argon2id). */
export interface Passwords {
  /** Hashes the whole password, of any length. */
  hashPassword(password: string): Promise<string>;
  /** If `hash` is `null`, the result is false for every password, after the time of one comparison. */
  isPassword(password: string, hash: string | null): Promise<boolean>;
}

/** Hashes passwords at this cost. A stored hash contains the cost at which it was made. */
export const passwordsOf = ({ memoryCost, timeCost }: PasswordCost): Passwords => {
  /**
   * A hash of an unknown random value at the same cost. It is compared if a user has no password, so that the refusal
   * takes as long.
   */
  const decoy = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$zuAWC4x6MmtQTwAmPumiQvrABZWEowTUGq8bqH5y66Q$BA1KFEESQQpEltYByMHAYbmsknWUzttwHMGanCB0anY`;
  return {
    hashPassword: (password) =>
      Bun.password.hash(normalPassword(password), { algorithm: "argon2id", memoryCost, timeCost }),
    async isPassword(password, hash) {
      const stored = hash ?? decoy;
      const normal = normalPassword(password);
      if (await Bun.password.verify(normal, stored)) return hash !== null;
      // Before passwords were normalized, the password was hashed as typed.
      return normal !== password && (await Bun.password.verify(password, stored)) && hash !== null;
    },
  };
};
