/** A new token of a feed's address: shown once, then only its hash is stored. */
interface IssuedToken {
  readonly token: string;
  readonly hash: string;
}

/** Creates the tokens of addresses, and hashes them. */
export interface FeedTokens {
  issue(): IssuedToken;
  /** The hash to look a presented token up by, whatever it is. */
  hashOf(token: string): string;
}
