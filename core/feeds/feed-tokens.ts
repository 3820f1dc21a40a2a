/** A new token for a feed's address. It is shown once; only its hash is stored. */
interface IssuedToken {
  readonly token: string;
  readonly hash: string;
}

/** Creates tokens for the addresses of feeds, and hashes them. */
export interface FeedTokens {
  issue(): IssuedToken;
  /** The hash by which a presented token is looked up. The token may be any text. */
  hashOf(token: string): string;
}
