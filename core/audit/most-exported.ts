/** The most entries of an export. */
export const MOST_EXPORTED = 100_000;
