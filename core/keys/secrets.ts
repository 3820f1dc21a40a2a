import type { AppType } from "../permissions.ts";
import type { KeyRecord } from "./key.ts";

/** A new key string. It is shown once, and only its hash is stored. */
export interface IssuedSecret {
  readonly key: string;
  readonly hash: string;
  /** The first characters, to recognise it by. */
  readonly start: string;
}

/** A key as it was read, and the secret that replaces its present ones. */
export interface KeyRotation {
  readonly key: KeyRecord;
  readonly secret: IssuedSecret;
}

/** Makes and recognises key strings, which consist of a prefix, an app type, an app id and a suffix (interface 2.4). */
export interface Secrets {
  issue(appType: AppType, appId: string): IssuedSecret;
  /** Uses a key string that the operator chose, of 32 characters or more. */
  adopt(key: string): IssuedSecret;
  /**
   * The hash by which a presented key is looked up, or `null` if it cannot be a key, for example because it was
   * mistyped. If `isKnown` returns true for a hash, a key with this hash works, and its form is not checked.
   */
  recognise(presented: string, isKnown?: (hash: string) => boolean): string | null;
}

/** A key and its secret, which is shown only once. */
export interface IssuedKey {
  readonly record: KeyRecord;
  readonly apiKey: string;
}
