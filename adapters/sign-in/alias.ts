const ALIAS = /^(\d+)@user\.invalid$/;

/** The address by which the sign-in library is told of a user whom the service knows; nobody has one like it. */
export const aliasOf = (userId: number): string => `${userId}@user.invalid`;

/** The user's number in an address that `aliasOf` made; `null` for any other. */
export const userOfAlias = (address: string): string | null => ALIAS.exec(address)?.[1] ?? null;
