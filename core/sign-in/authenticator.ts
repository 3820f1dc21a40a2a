/** A client that signs in. */
export interface Client {
  /** The Cookie header. */
  readonly cookies: string | null;
  readonly address: string;
  /** The address, or the network of an IPv6 address, under which failures are counted. */
  readonly limitedAs: string;
  readonly userAgent: string | null;
  readonly requestId: string;
  /**
   * `null` when the client's address may make attempts. Otherwise the seconds until it may again: the client passed as
   * a known browser, and may sign in as that browser's user only.
   */
  readonly waitSeconds: number | null;
}

/** What a client gets for valid credentials. */
export interface SignInResult {
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[];
  /** True when the password was right and the second factor is still missing. */
  readonly needsSecondFactor: boolean;
  /** The new session; `null` while the second factor is missing. */
  readonly sessionToken: string | null;
}

/** A code of the second factor, or a recovery code. */
export type Proof = { readonly code: string } | { readonly recoveryCode: string };
/** The same, with the stored hash in place of the recovery code. */
export type KnownProof = { readonly code: string } | { readonly recoveryHash: string };

/** Recovery codes: each replaces the second factor once. */
export interface RecoveryCodes {
  readonly codes: readonly string[];
  readonly hashes: readonly string[];
}

/** A new secret of a second factor. */
interface FactorOffer {
  /** The secret as it is sealed and stored. */
  readonly secret: string;
  /** The secret as people type it into an app. */
  readonly typed: string;
  /** The address that an app reads from a QR code. */
  readonly uri: string;
}

/** Makes and compares passwords and codes. */
export interface Authenticator {
  hashPassword(password: string): Promise<string>;
  /** False for every password where `hash` is `null`, in the same time. */
  isPassword(password: string, hash: string | null): Promise<boolean>;
  /** A new second factor for the user with this email address. */
  newSecondFactor(email: string): FactorOffer;
  /** True when a second factor with this secret shows the code about now. */
  isCode(code: string, secret: string): boolean;
  newRecoveryCodes(): Promise<RecoveryCodes>;
  /** The hash of this recovery code; `null` when none matches, in the same time. */
  recoveryHash(code: string, hashes: readonly string[]): Promise<string | null>;
}

/** The signed cookies of an entry. */
export interface SignInCookies {
  /** The Set-Cookie with a session's token; `null` removes the cookie. */
  session(token: string | null): Promise<string>;
  /** The Set-Cookie with a challenge's token; `null` removes the cookie. */
  challenge(token: string | null): Promise<string>;
  /** The challenge's token that a client sends; `null` without one, or with one that was not signed here. */
  challengeOf(client: Pick<Client, "cookies">): Promise<string | null>;
}

/** Random tokens for links, sessions and challenges. */
export interface Tokens {
  issue(): { readonly token: string; readonly hash: string };
  hashOf(text: string): string;
}
