import type { Vehicle, VehicleField } from "../../../core/vehicles/fields.ts";
import { useRecord } from "../api/queries.ts";
import { useMay } from "../session/session.tsx";

/** Common values for fields that take any text. */
const COMMON = {
  make: "Audi,BMW,Chevrolet,Ford,GMC,Honda,Hyundai,Jeep,Kia,Lexus,Mazda,Mercedes-Benz,Nissan,Ram,Subaru,Tesla,Toyota,Volkswagen,Volvo".split(
    ",",
  ),
  // Models depend on the make, and only the inventory knows them.
  model: [],
  fuel_type: ["gasoline", "diesel", "hybrid", "plug-in hybrid", "electric"],
  transmission: ["automatic", "manual", "CVT", "dual-clutch"],
  drivetrain: ["FWD", "RWD", "AWD", "4WD"],
  body_style: ["sedan", "SUV", "pickup", "hatchback", "coupe", "convertible", "wagon", "van", "minivan"],
  condition: ["new", "used", "certified pre-owned"],
} satisfies { readonly [Field in VehicleField]?: readonly string[] };
type Suggested = keyof typeof COMMON;

/** True for a field with suggestions. */
export const isSuggested = (field: VehicleField): field is Suggested => field in COMMON;

/** The number of newest vehicles whose values are suggested. */
const SAMPLE_SIZE = 100;
const STALE_MS = 60_000;

const bySpelling = (one: string, other: string): number => one.localeCompare(other);

/**
 * The suggestions for a field: the values of the dealer's newest vehicles (only models of this make), then the common
 * values.
 */
const suggestionsFrom = (
  vehicles: readonly Pick<Vehicle, Suggested>[],
  make: string,
): ((field: Suggested) => readonly string[]) => {
  const ofMake = vehicles.filter((vehicle) => vehicle.make.toLowerCase() === make.trim().toLowerCase());
  return (field) => {
    const used = (field === "model" ? ofMake : vehicles).flatMap((vehicle) => vehicle[field] ?? []);
    const words = [...new Set(used)].toSorted(bySpelling);
    const known = new Set(words.map((word) => word.toLowerCase()));
    return [...words, ...COMMON[field].filter((word) => !known.has(word.toLowerCase()))];
  };
};

/** The suggestions for a vehicle of this make and dealer; `null` for any dealer. */
export const useSuggestions = (dealerId: number | null, make: string): ((field: Suggested) => readonly string[]) => {
  const enabled = useMay()("vehicles:read");
  const path = dealerId === null ? "/vehicles" : `/dealers/${dealerId}/vehicles`;
  const { data } = useRecord<{ readonly vehicles: readonly Vehicle[] }>(
    path,
    { limit: SAMPLE_SIZE },
    { enabled, staleMs: STALE_MS },
  );
  return suggestionsFrom(data?.vehicles ?? [], make);
};
