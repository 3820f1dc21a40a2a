import type { Actor } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure, Outcome } from "../failure.ts";
import type { KeyRecord } from "../keys/key.ts";
import type { KeyRotation } from "../keys/secrets.ts";
import type { Listing, ListOrder, Page } from "../page.ts";
import type { Role } from "../permissions.ts";
import type { UserRecord, UserSort } from "./user.ts";

export interface UserFilter {
  readonly dealerId?: number;
  readonly role?: Role;
  readonly active?: boolean;
  /** Every word must begin a word of the user's name or email address. */
  readonly search?: string;
}

/** The stored fields of a user, without its id. */
export type UserFields = Omit<UserRecord, "id" | "invited" | "createdAt" | "updatedAt">;

/** What becomes of a user, and new secrets for all their keys if they shall get some. */
export interface UserDecision {
  readonly fields: UserFields;
  readonly rotations: readonly KeyRotation[] | null;
}

/** A changed user, and the keys that were rotated. */
export interface ChangedUser {
  readonly user: UserRecord;
  /** `null` if no rotation was requested. */
  readonly keys: readonly KeyRotation[] | null;
}

/** Which user is changed, and by whom. */
export interface UserChangeContext {
  readonly id: number;
  readonly visibility: Visibility;
  readonly now: Timestamp;
  readonly by: Actor;
}

/** Another user has this email address. Case does not matter. */
export const EMAIL_TAKEN = Symbol("email taken");
/** The dealer does not exist. */
export const NO_SUCH_DEALER = Symbol("no such dealer");
/** No active super-admin would be left after the change. */
export const LAST_SUPER_ADMIN = Symbol("last super-admin");

/** A Failure means that the dealer would have more users than the quota allows. */
export type UserRefusal = typeof EMAIL_TAKEN | typeof NO_SUCH_DEALER | typeof LAST_SUPER_ADMIN | Failure;

/**
 * Users in the database. A user whom the caller cannot see is `null`. Every change reaches all caches of credentials.
 */
export interface UserRepository {
  /** Newest first by default. */
  list(query: {
    readonly visibility: Visibility;
    readonly filter: UserFilter;
    readonly page: Page;
    readonly order?: ListOrder<UserSort>;
  }): Promise<Listing<UserRecord>>;
  find(id: number, visibility: Visibility): Promise<UserRecord | null>;
  /** The names of these users, by id, without those that the caller cannot see. */
  names(ids: readonly number[], visibility: Visibility): Promise<ReadonlyMap<number, string>>;
  insert(user: UserFields, now: Timestamp, by: Actor): Promise<UserRecord | UserRefusal>;
  /**
   * Changes a user as `decide` says of their present fields, which stay locked. With `withKeys`, it also gets all keys of
   * the user, whether or not the caller can see them.
   */
  change(
    change: UserChangeContext & { readonly withKeys: boolean },
    decide: (user: UserRecord, keys: readonly KeyRecord[]) => Outcome<UserDecision>,
  ): Promise<ChangedUser | null | UserRefusal>;
}
