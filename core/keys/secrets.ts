import type { AppType } from "../access/permissions.ts";
import type { KeyRecord } from "./key.ts";

/** A new key string: shown once, then only its hash is stored. */
export interface IssuedSecret {
  readonly key: string;
  readonly hash: string;
  /** The first characters, for recognition. */
  readonly start: string;
}

/** A key at the version that was read, and the secret that replaces its present ones. */
export interface KeyRotation {
  readonly key: KeyRecord;
  readonly secret: IssuedSecret;
}

/** Makes and recognises key strings (interface 2.4: prefix, app type, app id, suffix). */
export interface Secrets {
  issue(appType: AppType, appId: string): IssuedSecret;
  /** A key string chosen by the operator, of 32 characters or more. */
  adopt(key: string): IssuedSecret;
  /**
   * The hash to look a presented key up by; `null` for one that cannot be a key, such as a mistyped one. What `isKnown`
   * is true of is the hash of a key that works, whose form needs no check.
   */
  recognise(presented: string, isKnown?: (hash: string) => boolean): string | null;
}

/** A key with its secret, which is shown only once. */
export interface IssuedKey {
  readonly record: KeyRecord;
  readonly apiKey: string;
}
