const FOUND_FIRST = "the record is found and locked first, in the same transaction and by the same condition";
const NO_FIELD = "no record has a field without a name, nor one called null or undefined";
const SHAPE = "the key of a cache: it tells both shapes apart either way";

/** Mutants by name that no test notices, each with the reason why that is right. Any other survivor fails the run. */
export const SURVIVORS: Readonly<Record<string, string>> = {
  "adapters/sql/vehicles/repository.ts makeVehicleRepository: scope: scope === null → scope !== null": SHAPE,
  "adapters/sql/vehicles/repository.ts makeVehicleRepository: scope: scope === null → scope !== null (2)": SHAPE,
  "adapters/sql/vehicles/repository.ts makeVehicleRepository: where: .where(versionsIn(versions ?? [])) → nothing (2)":
    FOUND_FIRST,
  'core/access/rules/audit-entries-hide-other-dealers.ts newHomeOf: joined: HOME[resource ?? ""] ?? "" → (HOME[resource ?? ""])':
    NO_FIELD,
  'core/access/rules/audit-entries-hide-other-dealers.ts newHomeOf: joined: resource ?? "" → (resource)': NO_FIELD,
};
