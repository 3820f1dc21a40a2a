import type { Actor } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure } from "../failure.ts";
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
   * Replaces the fields of a user who is unchanged since they were read as `seen`, and the secrets of all their keys if
   * new ones are given. `null` if the user has changed since.
   */
  update(change: {
    readonly seen: UserRecord;
    readonly visibility: Visibility;
    readonly fields: UserFields;
    readonly now: Timestamp;
    readonly by: Actor;
    readonly rotations?: readonly KeyRotation[] | null;
  }): Promise<UserRecord | null | UserRefusal>;
}
