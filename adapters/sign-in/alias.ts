const ALIAS = /^(\d+)@user\.invalid$/;

/** The address under which the sign-in library knows a user; no real address looks like it. */
export const aliasOf = (userId: number): string => `${userId}@user.invalid`;

/** The user's id in an address that `aliasOf` made; `null` for any other. */
export const userOfAlias = (address: string): string | null => ALIAS.exec(address)?.[1] ?? null;
