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
   * `null` when the client's address may make attempts. Otherwise the seconds until it may again: the client passed as a
   * known browser, and may sign in as that browser's user only.
   */
  readonly waitSeconds: number | null;
}

/** What a client gets for valid credentials. */
export interface Entry {
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[];
  /** True when the password was right and the second factor is still missing. */
  readonly owesSecondFactor: boolean;
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

/** Checks passwords and second factors, and starts sessions. `null` stands for a wrong answer. */
export interface Authenticator {
  hashPassword(password: string): Promise<string>;
  /** `null` stands for an unknown user: checking takes as long as for a wrong password. */
  signIn(userId: number | null, password: string, client: Client): Promise<Entry | null>;
  /** The user whose second factor is missing, by the cookie from the right password. */
  challenged(client: Client): Promise<number | null>;
  prove(proof: KnownProof, client: Client): Promise<Entry | null>;
  isPassword(password: string, hash: string | null): Promise<boolean>;
  /** A new secret for the signed-in user, active after confirmation with a code. `null` when a factor is active already. */
  offerSecondFactor(
    password: string,
    client: Client,
  ): Promise<{ readonly uri: string; readonly secret: string } | null>;
  /** Activates the offered secret. The session continues under a new cookie. */
  confirmSecondFactor(code: string, client: Client): Promise<Entry | null>;
  /** True when the code is valid now for the signed-in user's second factor. */
  isCode(code: string, client: Client): Promise<boolean>;
  newRecoveryCodes(): Promise<RecoveryCodes>;
  /** The hash of this recovery code; `null` when none matches, in the same time. */
  recoveryHash(code: string, hashes: readonly string[]): Promise<string | null>;
}

/** Random tokens for links. */
export interface Tokens {
  issue(): { readonly token: string; readonly hash: string };
  hashOf(text: string): string;
}
