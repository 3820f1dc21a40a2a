import { VEHICLE_FIELDS } from "../vehicles/fields.ts";

/** Who decides about a field when the file and the record have both changed it. */
export const OWNERS = ["file", "hand"] as const;
export type Owner = (typeof OWNERS)[number];

/** Fields whose owner is not the default one. */
export type FieldOwners = Readonly<Partial<Record<string, Owner>>>;

/** The fields that people write better than files. All others belong to the file. */
const OF_HANDS: ReadonlySet<string> = new Set([
  ...["description", "title", "trim", "features", "images"],
  ...["exterior_color", "interior_color", "publish", "featured"],
]);

/** Fields of vehicles that no file changes. */
const NOT_IN_FILES: ReadonlySet<string> = new Set([
  ...["id", "dealer_id", "previous_price", "price_changed_at", "created_at", "updated_at"],
]);

/** The fields that have an owner. */
export const OWNED_FIELDS: readonly string[] = [
  ...Object.keys(VEHICLE_FIELDS).filter((name) => !NOT_IN_FILES.has(name)),
  "images",
];

/** Returns the owner of a field. Owners of the source stand before those of the installation. */
export const ownerAmong =
  (installation: FieldOwners, source: FieldOwners = {}) =>
  (field: string): Owner =>
    source[field] ?? installation[field] ?? (OF_HANDS.has(field) ? "hand" : "file");
