import { secrets } from "../../adapters/system/secrets.ts";
import { type Actor, SERVICE } from "../../core/access/principal.ts";
import { UNSET_DEALER } from "../../core/dealers/dealer.ts";
import type { DealerFields } from "../../core/dealers/dealer-repository.ts";
import { Failure } from "../../core/failure.ts";
import type { KeyFields, KeySearch } from "../../core/keys/key-repository.ts";
import type { IssuedSecret } from "../../core/keys/secrets.ts";
import { permissionSet } from "../../core/permissions.ts";
import type { UserFields } from "../../core/users/user-repository.ts";
import { DuplicateVehicle } from "../../core/vehicles/duplicates.ts";
import { UNSET_VEHICLE } from "../../core/vehicles/vehicle.ts";
import type { VehicleFields } from "../../core/vehicles/vehicle-repository.ts";

/** The actor of changes in tests of repositories. */
export const OPERATOR: Actor = SERVICE;

/** A key as the actor. */
export const actingKey = (keyId: number): Actor => ({ ...SERVICE, keyId, via: "api" });

export const MOMENT = "2026-03-14T09:26:00.000Z";

/** The time `ms` after MOMENT, or before it if negative. */
export const momentAfter = (ms: number): string => new Date(Date.parse(MOMENT) + ms).toISOString();

export const dealerFields = (fields: Partial<DealerFields> = {}): DealerFields => ({
  ...UNSET_DEALER,
  name: "Harbor Motors",
  address: "12 Quay Street",
  city: "Portland",
  state: "OR",
  zip: "97201",
  latitude: 45.52,
  longitude: -122.68,
  phone: "503-555-0142",
  email: "sales@harbor.example.com",
  created_at: MOMENT,
  updated_at: MOMENT,
  ...fields,
});

export const vehicleFields = (dealerId: number, fields: Partial<VehicleFields> = {}): VehicleFields => ({
  ...UNSET_VEHICLE,
  dealer_id: dealerId,
  make: "Toyota",
  model: "Camry",
  year: 2024,
  price: 25_999.99,
  title: "2024 Toyota Camry",
  listed_at: MOMENT,
  created_at: MOMENT,
  updated_at: MOMENT,
  ...fields,
});

/** A search of keys that looks into every name. */
export const words = (q: string): KeySearch => ({ q, inDealerNames: true, inUserNames: true });

let people = 0;

export const userFields = (fields: Partial<UserFields> = {}): UserFields => ({
  name: "Robin Example",
  email: `robin${++people}@example.com`,
  role: "user",
  dealerId: null,
  permissions: permissionSet(["vehicles:read"]),
  active: true,
  endedBy: null,
  ...fields,
});

/** Fields of a key; its association follows from the given dealer or user. */
export const keyFields = (fields: Partial<Omit<KeyFields, "association">> = {}): KeyFields => ({
  name: "Showroom website",
  description: null,
  appType: "web",
  appId: "showroom-site",
  dealerId: null,
  userId: null,
  ownPermissions: fields.userId ? 0 : permissionSet(["vehicles:read"]),
  isPublic: false,
  allowedOrigins: null,
  allowedNetworks: null,
  ownerEmail: null,
  disabledReason: null,
  rateLimit: null,
  active: true,
  endedBy: null,
  expiresAt: null,
  ...fields,
  association: fields.userId ? "user" : fields.dealerId ? "dealer" : "none",
});

export const newSecret = (): IssuedSecret => secrets.issue("web", "showroom-site");

/** The record, asserting that the value is neither `null` nor a repository's symbol for a refusal. */
export const made = <Value>(value: Value): Exclude<Value, symbol | null | Failure | DuplicateVehicle> => {
  if (typeof value === "symbol" || value === null || value instanceof Failure || value instanceof DuplicateVehicle)
    throw new Error(`expected a record, not ${String(value)}`);
  return value as Exclude<Value, symbol | null | Failure | DuplicateVehicle>;
};
