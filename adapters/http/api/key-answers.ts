import Type from "typebox";
import { PermissionPairs } from "../../../core/access/permission-pairs.ts";
import { ACTIONS, RESOURCES } from "../../../core/access/permissions.ts";
import { NewKey, type PresentedKey } from "../../../core/keys/key.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { answered, count, dateTime, type FieldsOf, named, namesBeside, numberOf, orNull, stamps } from "./answers.ts";

// The service creates key 1 when it first starts; examples should leave that one alone.
const keyId = numberOf("key", 2);

/** Path parameters of one key. */
export const ByKey = Type.Object({ id: keyId });

/** Path parameters of one permission of a key. */
export const ByPermission = Type.Object({
  id: keyId,
  resource: oneOf(RESOURCES, { description: "What the permission is about.", examples: ["vehicles"] }),
  action: oneOf(ACTIONS, { description: "What it allows.", examples: ["read"] }),
});

const keyFields = {
  id: id(),
  ...answered(NewKey),
  key_start: Type.String({ description: "The first characters of the key, for recognition." }),
  bound_dealer_id: orNull(id()),
  permissions: PermissionPairs,
  effective_rate_limit: count,
  active: Type.Boolean(),
  last_used_at: orNull(dateTime),
  grace_until: orNull(
    Type.String({
      format: "date-time",
      description: "Until when the secret before the last rotation works; null when it works no longer.",
    }),
  ),
  grace_key_start: orNull(Type.String({ description: "The first characters of that secret." })),
  grace_last_used_at: orNull(
    Type.String({ format: "date-time", description: "When that secret was last used since the rotation." }),
  ),
  grace_uses_today: orNull(
    Type.Integer({ minimum: 0, description: "How often that secret was used since midnight UTC." }),
  ),
  ...stamps,
} satisfies FieldsOf<PresentedKey>;

const COLUMNS = Object.keys(keyFields) as (keyof PresentedKey)[];

/** What an export writes of each key: what is answered of it, in a table its permissions with a space between two. */
export const KEY_FILE = {
  columns: COLUMNS,
  cells({ permissions, ...key }: PresentedKey) {
    const cells = {
      ...key,
      permissions: permissions.map(({ resource, action }) => `${resource}:${action}`).join(" "),
      active: String(key.active),
    };
    return COLUMNS.map((name) => cells[name]);
  },
  json: (key: PresentedKey) => JSON.stringify(key),
};

/** A key, as answered. */
export const KeyAnswer = named("ApiKey", {
  ...keyFields,
  ...namesBeside("dealer_id", "bound_dealer_id", "user_id"),
  user_active: Type.Optional(
    orNull(
      Type.Boolean({
        description:
          "With `include=names`: false when its user is inactive, whose keys are refused; null where the name is.",
      }),
    ),
  ),
});

/** A key with its secret. */
export const ShownKeyAnswer = named("ApiKeyWithSecret", {
  ...keyFields,
  api_key: Type.String({ description: "The secret. Shown here and nowhere else." }),
});

/** A key after a change, with its new secret if it got one. */
export const ChangedKeyAnswer = named("ChangedApiKey", {
  ...keyFields,
  api_key: Type.Optional(
    Type.String({ description: "The new secret, where `rotate` was sent. Shown here and nowhere else." }),
  ),
});
