/** Argon2id with the cost that OWASP recommends: 19 MiB and two passes for each password looked at. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, COST);

/** Compared with where there is no password, so that it takes as long to say no. */
let decoy: Promise<string> | null = null;

/** False for every password where `hash` is `null`. */
export const isPassword = async (password: string, hash: string | null): Promise<boolean> => {
  decoy ??= hashPassword(crypto.randomUUID());
  return (await Bun.password.verify(password, hash ?? (await decoy))) && hash !== null;
};
