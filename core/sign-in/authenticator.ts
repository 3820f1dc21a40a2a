/** A client that signs in. */
export interface Client {
  /** The Cookie header. */
  readonly cookies: string | null;
  readonly address: string;
  /** The subject that failures count for: the address, or the network of an IPv6 address. */
  readonly limitedAs: string;
  readonly userAgent: string | null;
  readonly requestId: string;
  /**
   * `null` if attempts from the client's address are allowed. Otherwise the seconds until they are allowed again: the
   * request was let through because the browser looks known, and it may sign in only the user of that browser.
   */
  readonly waitSeconds: number | null;
}

/** What a client gets for a correct password or code. */
export interface SignInResult {
  /** The values of the Set-Cookie headers. */
  readonly cookies: readonly string[];
  /** True if the password was correct and the second factor is still missing. */
  readonly needsSecondFactor: boolean;
  /** The token of the new session. `null` while the second factor is missing. */
  readonly sessionToken: string | null;
}

/** A code from the second factor, or a recovery code. */
export type Proof = { readonly code: string } | { readonly recoveryCode: string };
/** The same, but with the stored hash instead of the recovery code. */
export type KnownProof = { readonly code: string } | { readonly recoveryHash: string };

/** Recovery codes. Each can be used once instead of a code from the second factor. */
export interface RecoveryCodes {
  readonly codes: readonly string[];
  readonly hashes: readonly string[];
}

/** A new secret of a second factor. */
interface FactorOffer {
  /** The secret in the form in which it is sealed and stored. */
  readonly secret: string;
  /** The secret in the form in which people type it into an app. */
  readonly typed: string;
  /** The address that an app reads from a QR code. */
  readonly uri: string;
}

/** Makes and compares passwords and codes. */
export interface Authenticator {
  hashPassword(password: string): Promise<string>;
  /** If `hash` is `null`, the result is false for every password, after the same time. */
  isPassword(password: string, hash: string | null): Promise<boolean>;
  /** A new second factor for the user with this email address. */
  newSecondFactor(email: string): FactorOffer;
  /** True if a second factor with this secret shows the code at about this time. */
  isCode(code: string, secret: string): boolean;
  newRecoveryCodes(): Promise<RecoveryCodes>;
  /** The hash of this recovery code. `null` if none matches, after the same time. */
  recoveryHash(code: string, hashes: readonly string[]): Promise<string | null>;
}

/** The signed cookies of a sign-in. */
export interface SignInCookies {
  /** The Set-Cookie value with a session's token. `null` deletes the cookie. */
  session(token: string | null): Promise<string>;
  /** The Set-Cookie value with a challenge's token. `null` deletes the cookie. */
  challenge(token: string | null): Promise<string>;
  /**
   * The challenge's token that a client sends. `null` if there is none, or if it was not signed by this installation.
   */
  challengeOf(client: Pick<Client, "cookies">): Promise<string | null>;
}

/** Random tokens for links, sessions and challenges. */
export interface Tokens {
  issue(): { readonly token: string; readonly hash: string };
  hashOf(text: string): string;
}
