import Type from "typebox";
import { PermissionPairs } from "../../../core/access/permission-pairs.ts";
import { Failure, type Outcome } from "../../../core/failure.ts";
import { IncludeNames } from "../../../core/include.ts";
import type { KeyRotation } from "../../../core/keys/secrets.ts";
import type { Names } from "../../../core/names/names.ts";
import { pageOf, presented } from "../../../core/page.ts";
import { id } from "../../../core/schema.ts";
import {
  NewUser,
  type PresentedUser,
  presentUser,
  USER_READ_ONLY,
  UserChanges,
  UserQuery,
  type UserRecord,
} from "../../../core/users/user.ts";
import type { Users } from "../../../core/users/users.ts";
import { NO_STORE } from "../protocol/headers.ts";
import { listHeaders } from "../protocol/links.ts";
import { arrayBody } from "../protocol/long-body.ts";
import { pathOf } from "../protocol/request-path.ts";
import { type Answer, created, ok, type Route, route } from "../protocol/route.ts";
import {
  answerFields,
  DoneAnswer,
  type FieldsOf,
  includedNames,
  nullable,
  recordId,
  recordSchema,
  shownBefore,
  timestamps,
} from "./answers.ts";

/** The path parameters of one user. */
export const UserParams = Type.Object({ id: recordId("user") });

const userFields = {
  id: id(),
  ...answerFields(NewUser),
  permissions: PermissionPairs,
  active: Type.Boolean(),
  invited: Type.Boolean({ description: "True if the user was invited and has never set a password." }),
  ...timestamps,
} satisfies FieldsOf<PresentedUser>;

/** A user as it is answered. */
export const UserAnswer = recordSchema("User", { ...userFields, ...includedNames("dealer_id") });

const ChangedUserAnswer = recordSchema("ChangedUser", {
  ...userFields,
  keys: Type.Optional(
    Type.Array(
      Type.Object(
        { id: id(), name: Type.String(), api_key: nullable(Type.String()), ...shownBefore },
        { title: "RotatedApiKey", additionalProperties: false },
      ),
      {
        description:
          "All keys of the user with their new secrets, if `rotate_keys` was sent. They are shown only in this answer.",
      },
    ),
  ),
});

const answerUser = (outcome: Outcome<UserRecord>): Outcome<Answer> =>
  outcome instanceof Failure ? outcome : ok(presentUser(outcome));

/** A key with its new secret, which is shown only here. Answers that contain it must have NO_STORE. */
const rotatedKey = ({ key, secret }: KeyRotation) => ({ id: key.id, name: key.name, api_key: secret.key });

/** Routes of users, whose keys inherit their permissions (interface 2.5). */
export const userRoutes = (users: Users, names: Names): Route[] => [
  route({
    operation: "user.list",
    name: "listUsers",
    method: "GET",
    path: "/api/users",
    summary: "List users",
    description: "Newest first. A bound caller sees only its dealer's users.",
    query: UserQuery,
    answer: { status: 200, schema: Type.Array(UserAnswer), description: "The users" },
    traits: ["list"],
    errors: [],
    async handle({ principal, query, search, url }) {
      const listing = await users.list(principal, query);
      if (listing instanceof Failure) return listing;
      const plain = presented(listing, presentUser);
      const withNames = query.include === undefined ? plain : await names.addToListing(principal, plain);
      return ok(arrayBody(withNames), {
        headers: listHeaders({ path: pathOf(url), search, page: pageOf(query), total: listing.total }),
      });
    },
  }),
  route({
    operation: "user.read",
    name: "getUser",
    method: "GET",
    path: "/api/users/:id",
    summary: "Read a user",
    params: UserParams,
    query: IncludeNames,
    answer: { status: 200, schema: UserAnswer, description: "The user" },
    errors: ["not_found"],
    async handle({ principal, params, query }) {
      const user = await users.get(principal, params.id);
      if (user instanceof Failure || query.include === undefined) return answerUser(user);
      const [named] = await names.addTo(principal, [presentUser(user)]);
      return ok(named);
    },
  }),
  route({
    operation: "user.create",
    name: "createUser",
    method: "POST",
    path: "/api/users",
    summary: "Create a user",
    description:
      "The default permissions depend on the role. A user whom a bound caller creates belongs to the caller's dealer.",
    body: {
      name: "NewUser",
      schema: NewUser,
      readOnly: USER_READ_ONLY,
      example: { name: "Robin Example", email: "robin@example.com", role: "user", dealer_id: 1 },
    },
    answer: { status: 201, schema: UserAnswer, description: "The created user" },
    errors: ["exceeds_your_rights", "email_taken", "quota_exceeded"],
    async handle({ principal, body }) {
      const user = await users.create(principal, body);
      return user instanceof Failure ? user : created(presentUser(user), `/api/users/${user.id}`);
    },
  }),
  route({
    operation: "user.update",
    name: "updateUser",
    method: "PUT",
    path: "/api/users/:id",
    summary: "Change fields of a user",
    params: UserParams,
    body: { name: "UserChanges", schema: UserChanges, readOnly: USER_READ_ONLY, example: { name: "Robin Sample" } },
    description:
      "Everybody who knows the secret of one of the user's keys also gets the new rights of the user; to prevent that, `rotate_keys` replaces all secrets in the same transaction.",
    answer: {
      status: 200,
      schema: ChangedUserAnswer,
      description: "The updated user. With `rotate_keys`, also the keys with their new secrets",
    },
    secrets: ["api_key"],
    errors: ["not_found", "exceeds_your_rights", "own_account", "email_taken", "quota_exceeded", "last_super_admin"],
    async handle({ principal, params, body }) {
      const changed = await users.change(principal, params.id, body);
      if (changed instanceof Failure) return changed;
      const { user, keys } = changed;
      return keys === null
        ? ok(presentUser(user))
        : ok({ ...presentUser(user), keys: keys.map(rotatedKey) }, { headers: NO_STORE });
    },
  }),
  route({
    operation: "user.deactivate",
    name: "deactivateUser",
    method: "DELETE",
    path: "/api/users/:id",
    summary: "Deactivate a user",
    description: "The user's keys are refused from then on.",
    params: UserParams,
    answer: { status: 200, schema: DoneAnswer, description: "Deactivated" },
    errors: ["not_found", "exceeds_your_rights", "last_super_admin"],
    answers: "done",
    of: ({ principal, params }) => users.deactivate(principal, params.id),
    says: ({ id }) => `User ${id} deactivated`,
  }),
];
