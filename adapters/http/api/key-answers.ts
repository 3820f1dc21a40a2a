import Type from "typebox";
import { PermissionPairs } from "../../../core/access/permission-pairs.ts";
import { NewKey, type PresentedKey } from "../../../core/keys/key.ts";
import { REFUSED_OUTCOMES } from "../../../core/keys/refusals.ts";
import { ACTIONS, RESOURCES } from "../../../core/permissions.ts";
import { id, oneOf } from "../../../core/schema.ts";
import {
  answerFields,
  count,
  dateTime,
  type FieldsOf,
  includedNames,
  nullable,
  recordId,
  recordSchema,
  shownBefore,
  timestamps,
} from "./answers.ts";

// The service creates key 1 when it first starts. Requests in examples should not change that key.
const keyId = recordId("key", 2);

/** The path parameters of one key. */
export const KeyParams = Type.Object({ id: keyId });

/** The path parameters of one permission of a key. */
export const PermissionParams = Type.Object({
  id: keyId,
  resource: oneOf(RESOURCES, { description: "The resource that the permission applies to.", examples: ["vehicles"] }),
  action: oneOf(ACTIONS, { description: "The action that it allows.", examples: ["read"] }),
});

const keyFields = {
  id: id(),
  ...answerFields(NewKey),
  key_start: Type.String({ description: "The first characters of the key, to recognise it by." }),
  bound_dealer_id: nullable(id()),
  permissions: PermissionPairs,
  effective_rate_limit: count,
  public: Type.Boolean(),
  active: Type.Boolean(),
  disabled_reason: nullable(
    oneOf(["idle"], { description: "`idle` for a key that the service switched off because nobody used it." }),
  ),
  idle_ends_at: nullable(
    Type.String({
      format: "date-time",
      description: "When the service switches it off, as nobody uses it. `null` unless there was a notice of that.",
    }),
  ),
  last_used_at: nullable(dateTime),
  grace_until: nullable(
    Type.String({
      format: "date-time",
      description: "When the previous secret stops working. `null` if it no longer works.",
    }),
  ),
  grace_key_start: nullable(Type.String({ description: "The first characters of the previous secret." })),
  grace_last_used_at: nullable(
    Type.String({ format: "date-time", description: "When the previous secret was last used after the rotation." }),
  ),
  grace_uses_today: nullable(
    Type.Integer({ minimum: 0, description: "The number of uses of the previous secret since midnight UTC." }),
  ),
  ...timestamps,
} satisfies FieldsOf<PresentedKey>;

const COLUMNS = Object.keys(keyFields) as (keyof PresentedKey)[];

/** How an export writes a key: all that is answered about it. In a table, its permissions and origins are separated by spaces. */
export const KEY_FILE = {
  columns: COLUMNS,
  cells({ permissions, ...key }: PresentedKey) {
    const cells = {
      ...key,
      permissions: permissions.map(({ resource, action }) => `${resource}:${action}`).join(" "),
      public: String(key.public),
      allowed_origins: key.allowed_origins?.join(" ") ?? null,
      allowed_networks: key.allowed_networks?.join(" ") ?? null,
      active: String(key.active),
    };
    return COLUMNS.map((name) => cells[name]);
  },
  json: (key: PresentedKey) => JSON.stringify(key),
};

const LAST_DAY = "With `include=usage`, in the present hour and the 23 before:";
const lastDay = {
  requests_24h: Type.Optional(Type.Integer({ minimum: 0, description: `${LAST_DAY} the requests of the key.` })),
  refused_24h: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: `${LAST_DAY} those that were refused, as they were over the limit, denied, or unauthorized.`,
    }),
  ),
  refused_mostly: Type.Optional(
    nullable(
      oneOf(REFUSED_OUTCOMES, {
        description: `${LAST_DAY} what most of the refused requests ran into. \`null\` if none was refused.`,
      }),
    ),
  ),
};

/** A key as it is answered. */
export const KeyAnswer = recordSchema("ApiKey", {
  ...keyFields,
  ...includedNames("dealer_id", "bound_dealer_id", "user_id"),
  user_active: Type.Optional(
    nullable(
      Type.Boolean({
        description:
          "With `include=names`: false if the user of the key is inactive, and the key therefore refused. `null` if the name is `null`.",
      }),
    ),
  ),
  ...lastDay,
});

/** A key with its secret. */
export const KeyWithSecretAnswer = recordSchema("ApiKeyWithSecret", {
  ...keyFields,
  api_key: nullable(Type.String({ description: "The secret. It is shown only in this answer." })),
  ...shownBefore,
});

/** A key after a change. It has its new secret if it got one. */
export const ChangedKeyAnswer = recordSchema("ChangedApiKey", {
  ...keyFields,
  api_key: Type.Optional(
    nullable(Type.String({ description: "The new secret, if `rotate` was sent. It is shown only in this answer." })),
  ),
  ...shownBefore,
});
