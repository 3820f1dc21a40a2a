/** A client that asks to be let in. */
export interface Client {
  /** The header with its cookies. */
  readonly cookies: string | null;
  readonly address: string;
  /** What its failures are counted under: the address, or the network that it is one of. */
  readonly limitedAs: string;
  readonly userAgent: string | null;
  readonly requestId: string;
  /**
   * `null` for a client whose address may make attempts. Else the seconds until it may again: the client was let through
   * as a browser that signed in before, and may try to sign in as that user only.
   */
  readonly waitSeconds: number | null;
}

/** What a client gets for the right answer. */
export interface Entry {
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[];
  /** True when the password was right and the second factor is still owed. */
  readonly owesSecondFactor: boolean;
  /** Of the session that begins with it; `null` while the second factor is owed. */
  readonly sessionToken: string | null;
}

/** A code of the second factor, or one of those kept for its loss. */
export type Proof = { readonly code: string } | { readonly recoveryCode: string };
/** The same, with what is kept of the recovery code in its place. */
export type KnownProof = { readonly code: string } | { readonly recoveryHash: string };

/** Codes of which each signs in once in place of the second factor. */
export interface RecoveryCodes {
  readonly codes: readonly string[];
  readonly hashes: readonly string[];
}

/** Checks passwords and second factors, and starts sessions. `null` stands for a wrong answer. */
export interface Authenticator {
  hashPassword(password: string): Promise<string>;
  /** `null` stands for a user who is not there: that takes as long as a wrong password. */
  signIn(userId: number | null, password: string, client: Client): Promise<Entry | null>;
  /** Who still owes the second factor, by the cookie that the right password earned. */
  challenged(client: Client): Promise<number | null>;
  prove(proof: KnownProof, client: Client): Promise<Entry | null>;
  isPassword(password: string, hash: string | null): Promise<boolean>;
  /** A new secret for the signed-in client, which counts once a code of it was confirmed. `null` when one counts already. */
  offerSecondFactor(
    password: string,
    client: Client,
  ): Promise<{ readonly uri: string; readonly secret: string } | null>;
  /** Makes the offered secret count. The session goes on under a new cookie. */
  confirmSecondFactor(code: string, client: Client): Promise<Entry | null>;
  /** Whether this is a code that the app of the signed-in client, who has a second factor, shows now. */
  isCode(code: string, client: Client): Promise<boolean>;
  newRecoveryCodes(): Promise<RecoveryCodes>;
  /** Which of the hashes is of this recovery code; `null` when none is, which takes as long to find out. */
  recoveryHash(code: string, hashes: readonly string[]): Promise<string | null>;
}

/** Random tokens that stand in links. */
export interface Tokens {
  issue(): { readonly token: string; readonly hash: string };
  hashOf(text: string): string;
}
