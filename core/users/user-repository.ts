import type { Role } from "../access/permissions.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure } from "../failure.ts";
import type { Sight } from "../keys/key-repository.ts";
import type { KeyRotation } from "../keys/secrets.ts";
import type { Listing, Page } from "../page.ts";
import type { UserRecord } from "./user.ts";

export interface UserFilter {
  readonly dealerId?: number;
  readonly role?: Role;
  readonly active?: boolean;
}

/** What is stored of a user besides its id. */
export type UserFields = Omit<UserRecord, "id" | "createdAt" | "updatedAt">;

/** The repository's word for an email that another user has, without regard to case. */
export const EMAIL_TAKEN = Symbol("email taken");
/** The repository's word for a dealer that does not exist. */
export const NO_SUCH_DEALER = Symbol("no such dealer");
/** The repository's word for a change after which no active super-admin would be left. */
export const LAST_SUPER_ADMIN = Symbol("last super-admin");

/** A Failure says that the dealer would have more users than the quota allows. */
export type UserRefusal = typeof EMAIL_TAKEN | typeof NO_SUCH_DEALER | typeof LAST_SUPER_ADMIN | Failure;

/** Users in the database. What the sight hides is `null`. Every change reaches all caches of credentials. */
export interface UserRepository {
  /** Newest first, then by id descending. */
  list(sight: Sight, filter: UserFilter, page: Page): Promise<Listing<UserRecord>>;
  find(id: number, sight: Sight): Promise<UserRecord | null>;
  insert(user: UserFields, now: Timestamp, by: Actor): Promise<UserRecord | UserRefusal>;
  /** Replaces the fields of a user that is still as `seen`, and the secrets of all its keys where new ones are given; `null` when it has changed since. */
  update(
    seen: UserRecord,
    sight: Sight,
    fields: UserFields,
    now: Timestamp,
    by: Actor,
    rotations?: readonly KeyRotation[] | null,
  ): Promise<UserRecord | null | UserRefusal>;
}
