import Type, { type TObject, type TProperties, type TSchema } from "typebox";
import { PermissionPairs } from "../../../core/access/permission-pairs.ts";
import { CHANNELS } from "../../../core/access/principal.ts";
import { AUDIT_ACTIONS } from "../../../core/audit/audit.ts";
import { AUDITED_RESOURCES, type AuditEntry } from "../../../core/audit/audit-entry.ts";
import { type Dealer, LIST_OMITS_UNSET, NewDealer } from "../../../core/dealers/dealer.ts";
import { type Image, NewImage, VARIANTS } from "../../../core/images/image.ts";
import { NewKey, type PresentedKey } from "../../../core/keys/key.ts";
import type { UsageCounts } from "../../../core/keys/usage-repository.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { NewUser, type PresentedUser } from "../../../core/users/user.ts";
import { NewVehicle, type Vehicle } from "../../../core/vehicles/vehicle.ts";

/** Schemas of the service's answers, built from the schemas of its input. The documentation and its tests use them. */
const dateTime = Type.String({ format: "date-time", examples: ["2026-11-20T09:11:00.000Z"] });
const count = Type.Integer({ minimum: 0 });
const bit = Type.Unsafe<0 | 1>({ type: "integer", enum: [0, 1] });
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const stamps = { created_at: dateTime, updated_at: dateTime };

/** The fields of an input as an answer has them: all of them, always. */
const answered = <Name extends string>(input: TObject<Record<Name, TSchema>>) =>
  Object.fromEntries(
    Object.entries<TSchema>(input.properties).map(([name, schema]): [string, TSchema] => [name, Type.Union([schema])]),
  ) as Record<Name, TSchema>;

/** The schemas of a record's fields. One that is left out does not compile. */
type FieldsOf<Answered> = { readonly [Name in keyof Required<Answered>]: TSchema };

const name = <Fields extends TProperties>(title: string, properties: Fields): TObject<Fields> =>
  Type.Object(properties, { title, additionalProperties: false });

export const VehicleAnswer = name("Vehicle", {
  id: id(),
  ...answered(NewVehicle),
  dealer_id: id(),
  featured: bit,
  ...stamps,
} satisfies FieldsOf<Vehicle>);

const vehicleMeta = {
  total: count,
  dealer_id: Type.Optional(id({ description: "Present when the result is limited to one dealer." })),
  timestamp: dateTime,
  next_cursor: orNull(Type.String({ description: "Continues the list exactly behind this page." })),
};

export const VehicleListAnswer = name("VehiclePage", {
  meta: Type.Object(
    {
      ...vehicleMeta,
      filter_applied: Type.Boolean({ description: "True when the key's binding added the filter." }),
      sql: Type.String({ description: "The statement that ran, with placeholders." }),
    },
    { title: "VehiclePageMeta" },
  ),
  vehicles: Type.Array(VehicleAnswer),
});

export const InventoryAnswer = name("InventoryPage", {
  meta: Type.Object({ ...vehicleMeta, dealer_id: id() }, { title: "InventoryPageMeta" }),
  vehicles: Type.Array(VehicleAnswer),
});

export const ImageAnswer = name("Image", {
  id: id(),
  vehicle_id: id(),
  ...answered(NewImage),
  is_primary: Type.Boolean(),
  display_order: count,
  created_at: dateTime,
  delivery_id: Type.Optional(Type.String({ description: "Present when the image delivery service holds the image." })),
  variants: Type.Optional(
    Type.Object(Object.fromEntries(VARIANTS.map((variant) => [variant, Type.String({ format: "uri" })]))),
  ),
} satisfies FieldsOf<Image>);

export const DealerAnswer = name("Dealer", {
  id: id(),
  ...answered(NewDealer),
  active: bit,
  ...stamps,
} satisfies FieldsOf<Dealer>);

export const DealerListAnswer = Type.Array(
  name("ListedDealer", {
    ...DealerAnswer.properties,
    ...Type.Partial(Type.Pick(DealerAnswer, LIST_OMITS_UNSET)).properties,
  }),
);

const vehicleOfStatistics = orNull(
  Type.Object(
    { id: id(), make: Type.String(), model: Type.String(), year: Type.Integer(), created_at: dateTime },
    { title: "StatisticsVehicle" },
  ),
);

export const StatisticsAnswer = name("DealerStatistics", {
  dealer_id: id(),
  total_vehicles: count,
  available_vehicles: count,
  sold_vehicles: count,
  pending_vehicles: count,
  average_price: Type.Number({ description: "Over vehicles not sold; 0 when there are none." }),
  inventory_value: Type.Number({ description: "Over vehicles not sold." }),
  newest_vehicle: vehicleOfStatistics,
  oldest_vehicle: vehicleOfStatistics,
  timestamp: dateTime,
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
  ...stamps,
} satisfies FieldsOf<PresentedKey>;

export const KeyAnswer = name("ApiKey", keyFields);

export const ShownKeyAnswer = name("ApiKeyWithSecret", {
  ...keyFields,
  api_key: Type.String({ description: "The secret. Shown here and nowhere else." }),
});

export const ChangedKeyAnswer = name("ChangedApiKey", {
  ...keyFields,
  api_key: Type.Optional(
    Type.String({ description: "The new secret, where `rotate` was sent. Shown here and nowhere else." }),
  ),
});

const userFields = {
  id: id(),
  ...answered(NewUser),
  permissions: PermissionPairs,
  active: Type.Boolean(),
  ...stamps,
} satisfies FieldsOf<PresentedUser>;

export const UserAnswer = name("User", userFields);

export const ChangedUserAnswer = name("ChangedUser", {
  ...userFields,
  keys: Type.Optional(
    Type.Array(
      Type.Object(
        { id: id(), name: Type.String(), api_key: Type.String() },
        { title: "RotatedApiKey", additionalProperties: false },
      ),
      {
        description:
          "All keys of the user with their new secrets, where `rotate_keys` was sent. Shown here and nowhere else.",
      },
    ),
  ),
});

const fields = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const AuditEntryAnswer = name("AuditEntry", {
  id: id(),
  at: dateTime,
  actor: Type.Object(
    {
      type: oneOf(["key", "user", "command", "service", "operator"]),
      id: orNull(id()),
      name: Type.String({
        description: "What the key or user was called then. To a dealer, who acted from outside it is `Operator`.",
      }),
    },
    { title: "AuditActor" },
  ),
  via: oneOf(CHANNELS),
  action: oneOf(AUDIT_ACTIONS),
  resource: orNull(oneOf(AUDITED_RESOURCES)),
  resource_id: orNull(id()),
  dealer_id: orNull(
    id({ description: "Whose record it was. A dealer reads of a record that left it, or came to it, as its own." }),
  ),
  before: orNull(fields("The changed fields as they were; the whole record where it was removed.")),
  after: orNull(fields("The changed fields as they became; the whole record where it was created.")),
  address: orNull(Type.String({ description: "The client's address." })),
  request_id: orNull(Type.String()),
} satisfies FieldsOf<AuditEntry>);

const outcomes = {
  served: Type.Integer({ minimum: 0, description: "Answered, errors of the request itself included." }),
  denied: Type.Integer({ minimum: 0, description: "403." }),
  limited: Type.Integer({ minimum: 0, description: "429: over the key's limit." }),
  failed: Type.Integer({ minimum: 0, description: "5xx." }),
  unauthorized: Type.Integer({
    minimum: 0,
    description: "Sent after the key, or its secret, had ended or was revoked.",
  }),
} satisfies FieldsOf<UsageCounts>;
const usageHour = name("UsageHour", { hour: dateTime, ...outcomes });

export const UsageAnswer = name("ApiKeyUsage", {
  key_id: id(),
  hours: Type.Array(usageHour, { description: "Oldest first; hours without a request are left out." }),
  last_use: orNull(
    name("LastUse", { at: dateTime, address: orNull(Type.String()), user_agent: orNull(Type.String()) }),
  ),
  recent_denials: Type.Array(
    name("Denial", {
      at: dateTime,
      status: Type.Integer(),
      code: Type.String(),
      method: Type.String(),
      route: Type.String({ examples: ["/api/vehicles/:id"] }),
      address: Type.String(),
    }),
    { description: "The latest 20 requests that were denied or unauthorized, newest first." },
  ),
});

export const SparklineAnswer = name("ApiKeySparkline", {
  key_id: id(),
  hours: Type.Array(count, { description: "All requests of each of 24 hours, the present one last." }),
});

export const OverviewAnswer = name("Overview", {
  requests: Type.Array(usageHour),
  expiring_keys: Type.Array(KeyAnswer),
  expiring_total: count,
  idle_keys: Type.Array(KeyAnswer),
  idle_total: count,
  active_keys: count,
  vehicles: orNull(count),
  dealers: orNull(count),
});

export const DoneAnswer = name("Done", { success: Type.Literal(true), message: Type.String() });
