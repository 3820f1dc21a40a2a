import type { AppType } from "../access/permissions.ts";
import type { KeyRecord } from "./key.ts";

/** A key string just made: shown once, then only its hash is kept. */
export interface IssuedSecret {
  readonly key: string;
  readonly hash: string;
  /** The first characters, for recognition. */
  readonly start: string;
}

/** A key as it was seen, and the secret it gets in place of those it has. */
export interface KeyRotation {
  readonly key: KeyRecord;
  readonly secret: IssuedSecret;
}

/** Makes and recognises key strings (specification 2.4: prefix, app type, app id, suffix). */
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
