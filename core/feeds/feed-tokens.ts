/** A new token of a feed's address: shown once, then only its hash is stored. */
interface IssuedToken {
  readonly token: string;
  readonly hash: string;
}

/** Makes tokens of addresses, and finds out their hashes. */
export interface FeedTokens {
  issue(): IssuedToken;
  /** The hash to look a presented token up by, whatever it is. */
  hashOf(token: string): string;
}
