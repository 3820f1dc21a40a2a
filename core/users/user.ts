import Type from "typebox";
import { powersOfUser } from "../access/authority.ts";
import { authorizationOf } from "../access/authorization.ts";
import { PermissionPairs } from "../access/permission-pairs.ts";
import type { Principal } from "../access/principal.ts";
import { dealersAdminNeedsADealer } from "../access/rules/dealers-admin-needs-a-dealer.ts";
import type { Timestamp } from "../clock.ts";
import { IncludeQuery } from "../include.ts";
import type { Issue } from "../issues.ts";
import { orderQuery, PageQuery } from "../page.ts";
import { type PermissionPair, type PermissionSet, pairsOfSet, ROLES, type Role } from "../permissions.ts";
import { email, flag, flagOrBit, type Input, id, nullable, oneOf, requiredText } from "../schema.ts";
import { searchQuery } from "../search/query.ts";
import { validator } from "../validation.ts";

/** A user as the repository returns it. */
export interface UserRecord {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly dealerId: number | null;
  readonly permissions: PermissionSet;
  readonly active: boolean;
  /**
   * The rank of the caller who deactivated the user. `null` for an active user, and for one who was deactivated before
   * ranks were recorded.
   */
  readonly endedBy: Role | null;
  /** True if the user was invited and has not set a password yet, even if the invitation has expired. */
  readonly invited: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/**
 * The user who signed in with this session, as a caller. `null` if the user may not act: a deactivated user, or a
 * dealer's admin without a dealer.
 */
export const principalOfUser = (user: UserRecord, sessionId: number): Principal | null => {
  if (!user.active || dealersAdminNeedsADealer(user) !== null) return null;
  const powers = powersOfUser(user);
  return {
    keyId: null,
    name: user.name,
    via: "portal",
    address: null,
    requestId: null,
    authorization: authorizationOf({ sessionId }, powers),
    ...powers,
    appType: "web",
  };
};

/** A user as answered. */
export interface PresentedUser {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly dealer_id: number | null;
  readonly permissions: readonly PermissionPair[];
  readonly active: boolean;
  readonly invited: boolean;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

export const presentUser = (user: UserRecord): PresentedUser => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  dealer_id: user.dealerId,
  permissions: pairsOfSet(user.permissions),
  active: user.active,
  invited: user.invited,
  created_at: user.createdAt,
  updated_at: user.updatedAt,
});

const optional = {
  dealer_id: nullable(id({ description: "Required for a `dealer_admin`, forbidden for a `super_admin`." })),
  permissions: Type.Optional(PermissionPairs),
  active: Type.Optional(flagOrBit({ default: true, description: "Answered as true or false." })),
};

/** Body of POST /api/users. */
export const NewUser = Type.Object({
  name: requiredText(100, { examples: ["Robin Example"] }),
  email: email(),
  role: oneOf(ROLES),
  ...optional,
});

/** Body of PUT /api/users/:id. All fields are optional. */
export const UserChanges = Type.Object({
  name: Type.Optional(NewUser.properties.name),
  email: Type.Optional(NewUser.properties.email),
  role: Type.Optional(NewUser.properties.role),
  ...optional,
  rotate_keys: Type.Optional(
    flagOrBit({
      description:
        "If true, all keys of the user get new secrets in the same transaction, which are in the answer. The old secrets end.",
    }),
  ),
});

export type UserChanges = Type.Static<typeof UserChanges>;

/** Fields of answers that are ignored in bodies, that which `include=names` adds last. */
export const USER_READ_ONLY = ["id", "invited", "created_at", "updated_at", "dealer_name"] as const;

/** The values by which lists of users can be sorted. */
const USER_SORTS = ["created", "updated", "name", "email", "role"] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** Query of GET /api/users. */
export const UserQuery = Type.Object({
  dealer_id: Type.Optional(id({ description: "Only users of this dealer." })),
  role: Type.Optional(oneOf(ROLES, { description: "Only users with this role." })),
  active: Type.Optional(flag({ description: "Only active users, or only deactivated ones." })),
  q: Type.Optional(searchQuery(100, "name or email")),
  ...orderQuery(USER_SORTS),
  ...IncludeQuery,
  ...PageQuery,
});
export type UserQuery = Input<typeof UserQuery>;

export const newUser = validator(NewUser, USER_READ_ONLY);
export const userChanges = validator(UserChanges, USER_READ_ONLY);

/** A dealer's admin must have a dealer, and a super-admin must not. */
export const roleIssues = (role: unknown, dealerId: unknown): Issue[] => {
  if (role === "dealer_admin" && typeof dealerId !== "number")
    return [{ path: "dealer_id", message: "is required for a dealer_admin" }];
  if (role === "super_admin" && typeof dealerId === "number")
    return [{ path: "dealer_id", message: "must not be set for a super_admin" }];
  return [];
};
