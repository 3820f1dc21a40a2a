import fc from "fast-check";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { STAGES, STATUSES, type Vehicle } from "../../core/vehicles/fields.ts";
import type { FilterQuery, VehicleFilter } from "../../core/vehicles/vehicle-filter.ts";
import { made, momentAfter, OPERATOR, vehicleFields } from "./records.ts";
import { storedImages } from "./stored-images.ts";

export const DEALERS = [1, 2, 3];
const PRICES = [0, 99.99, 100, 100.01, 5000, 100_000_000];
const YEARS = [1999, 2020, 2024];
const MILEAGES = [null, 0, 1, 50_000, 10_000_000];

/** Texts in many alphabets. Those in one row are equal except for case and accents, and differ from all others. */
const SPELLINGS = [
  ["Škoda", "ŠKODA", "skoda", "S\u030Ckoda"],
  ["Straße", "STRASSE", "strasse"],
  ["Łódź", "LODZ", "lódz"],
  ["Ærø", "AERO", "æro"],
  ["Лада", "ЛАДА", "лада"],
  ["Σίσυφος", "ΣΙΣΥΦΟΣ", "σισυφοσ"],
  ["Işık", "ISIK", "isik"],
  ["小型車"],
  ["Toyota", "TOYOTA", "toyota"],
  ["%", "％"],
  ["Toyot_"],
  ["'; --", "'; --"],
] as const;
const WORDS = SPELLINGS.flat();
export const rowOf = (text: string): number => SPELLINGS.findIndex((row) => (row as readonly string[]).includes(text));
/** Texts as stored and as requested. Few, so that many match. */
const word = fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom("Škoda", "ŠKODA", "Toyota", "лада", "Лада"));

/** Stock numbers that differ only in case are equal; those that differ in accents are not. */
const STOCK_NUMBERS = [["A-1", "a-1"], ["É1", "é1"], ["E1"], ["Ж/7", "ж/7"], ["ΣΑΣ", "σας"], ["小1"], ["%"]] as const;
const stockRowOf = (text: string | null): number =>
  STOCK_NUMBERS.findIndex((row) => (row as readonly (string | null)[]).includes(text));
const VINS = ["4T1G11AK5LU123456", "4t1g11ak5lu123456", "1HG-1", "1hg-1", "X"];

const DAY_MS = 86_400_000;
/** The moment up to which days on the lot are counted. */
export const AS_OF = momentAfter(3 * DAY_MS);
export const daysOf = ({ status, listed_at, sold_at, updated_at }: Vehicle): number => {
  const end = status === "sold" ? (sold_at ?? updated_at) : AS_OF;
  return Math.max(0, Math.floor((Date.parse(end) - Date.parse(listed_at ?? "")) / DAY_MS));
};

/** Filters by distance are tested separately. */
type Name = Exclude<keyof FilterQuery, "near" | "radius" | "radius_unit">;

type Matches<Key extends keyof FilterQuery> = (vehicle: Vehicle, wanted: NonNullable<FilterQuery[Key]>) => boolean;

const anyOf =
  (value: (vehicle: Vehicle) => string | null) =>
  (vehicle: Vehicle, wanted: readonly string[]): boolean => {
    const own = value(vehicle);
    return own !== null && wanted.some((one) => rowOf(one) === rowOf(own));
  };

/** What each part of a filter matches, as in interface 6.1. */
const matchers = (imaged: ReadonlySet<number>): { readonly [Key in Name]: Matches<Key> } => ({
  dealer_id: (vehicle, wanted) => vehicle.dealer_id === wanted,
  status: (vehicle, wanted) => wanted.includes(vehicle.status),
  stage: (vehicle, wanted) => vehicle.stage !== null && wanted.includes(vehicle.stage),
  featured: (vehicle, wanted) => (vehicle.featured === 1) === wanted,
  make: anyOf(({ make }) => make),
  model: anyOf(({ model }) => model),
  year: (vehicle, wanted) => vehicle.year === wanted,
  // Words that are whole values; `vehicle-words.test.ts` has others.
  q: (vehicle, wanted) =>
    [
      ...[vehicle.make, vehicle.model, vehicle.trim, vehicle.body_style, vehicle.fuel_type, vehicle.transmission],
      ...[vehicle.drivetrain, vehicle.condition, vehicle.exterior_color, vehicle.interior_color],
      ...(vehicle.title ?? "").split(" "),
    ].some((text) => text !== null && rowOf(text) >= 0 && rowOf(text) === rowOf(wanted)),
  min_price: (vehicle, wanted) => vehicle.price >= wanted,
  max_price: (vehicle, wanted) => vehicle.price <= wanted,
  vin: (vehicle, wanted) => vehicle.vin?.toLowerCase() === wanted.toLowerCase(),
  stock_number: (vehicle, wanted) =>
    vehicle.stock_number !== null && stockRowOf(vehicle.stock_number) === stockRowOf(wanted),
  min_year: (vehicle, wanted) => vehicle.year >= wanted,
  max_year: (vehicle, wanted) => vehicle.year <= wanted,
  min_mileage: (vehicle, wanted) => vehicle.mileage !== null && vehicle.mileage >= wanted,
  max_mileage: (vehicle, wanted) => vehicle.mileage !== null && vehicle.mileage <= wanted,
  min_electric_range: ({ electric_range }, wanted) => electric_range !== null && electric_range >= wanted,
  max_electric_range: ({ electric_range }, wanted) => electric_range !== null && electric_range <= wanted,
  doors: (vehicle, wanted) => vehicle.doors === wanted,
  min_days_on_lot: (vehicle, wanted) => daysOf(vehicle) >= wanted,
  max_days_on_lot: (vehicle, wanted) => daysOf(vehicle) <= wanted,
  body_style: anyOf(({ body_style }) => body_style),
  fuel_type: anyOf(({ fuel_type }) => fuel_type),
  transmission: anyOf(({ transmission }) => transmission),
  drivetrain: anyOf(({ drivetrain }) => drivetrain),
  condition: anyOf(({ condition }) => condition),
  exterior_color: anyOf(({ exterior_color }) => exterior_color),
  interior_color: anyOf(({ interior_color }) => interior_color),
  trim: anyOf(({ trim }) => trim),
  has_images: (vehicle, wanted) => imaged.has(vehicle.id) === wanted,
  created_since: (vehicle, wanted) => vehicle.created_at >= wanted,
  updated_since: (vehicle, wanted) => vehicle.updated_at >= wanted,
  sold_since: (vehicle, wanted) => vehicle.sold_at !== null && vehicle.sold_at >= wanted,
});

export type Model = ReturnType<typeof matchers>;
const NAMES = Object.keys(matchers(new Set())) as Name[];

export const passes = (model: Model, vehicle: Vehicle, filter: VehicleFilter): boolean =>
  NAMES.every((name) => {
    const lets = model[name] as (vehicle: Vehicle, wanted: unknown) => boolean;
    return filter[name] === undefined || lets(vehicle, filter[name]);
  });

/** One or a few values of a filter, some of them twice. */
const any = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(
    value.map((one) => [one]),
    fc.array(value, { minLength: 1, maxLength: 20, size: "max" }),
  );
const moment = fc.integer({ min: 0, max: 9 }).map(momentAfter);
/** Whole days after the first moment, and the milliseconds before and after each. */
const day = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -1, max: 1 }))
  .map(([days, ms]) => momentAfter(days * DAY_MS + ms));
const amounts = (...values: readonly number[]) => fc.constantFrom(...values, 0, Number.MAX_SAFE_INTEGER);

const wanted = fc.record<Required<Pick<FilterQuery, Name>>>({
  dealer_id: fc.constantFrom(...DEALERS, 999),
  status: any(fc.constantFrom(...STATUSES)),
  stage: any(fc.constantFrom(...Object.values(STAGES).flat())),
  featured: fc.boolean(),
  make: any(word),
  model: any(word),
  year: amounts(...YEARS),
  q: fc.constantFrom("toyota", "skoda", "strasse", "LODZ", "AERO", "Лада", "小型車"),
  min_price: amounts(99, 100, 101),
  max_price: amounts(99, 100, 101),
  vin: fc.constantFrom(...VINS, "none"),
  stock_number: fc.constantFrom(...STOCK_NUMBERS.flat(), "none"),
  min_year: amounts(...YEARS),
  max_year: amounts(...YEARS),
  min_mileage: amounts(1, 50_000),
  max_mileage: amounts(1, 50_000),
  min_electric_range: amounts(1, 310, 5000),
  max_electric_range: amounts(1, 310, 5000),
  doors: amounts(2, 5),
  min_days_on_lot: amounts(1, 2, 3),
  max_days_on_lot: amounts(1, 2, 3),
  body_style: any(word),
  fuel_type: any(word),
  transmission: any(word),
  drivetrain: any(word),
  condition: any(word),
  exterior_color: any(word),
  interior_color: any(word),
  trim: any(word),
  has_images: fc.boolean(),
  created_since: moment,
  updated_since: moment,
  sold_since: day,
});
const keys = fc.subarray(NAMES, { maxLength: 3 });

/** Filters of up to three parts, so that many match something, and each part is often alone. */
export const filters: fc.Arbitrary<VehicleFilter> = fc
  .tuple(wanted, keys)
  .map(([all, some]) => ({ as_of: AS_OF, ...Object.fromEntries(some.map((key) => [key, all[key]])) }));

/** Each part of a filter alone, with a few values: no part may depend on luck to be tried. */
export const eachAlone: readonly VehicleFilter[] = fc
  .sample(wanted, { numRuns: 5, seed: 7 })
  .flatMap((all) => NAMES.map((key) => ({ as_of: AS_OF, [key]: all[key] })));

const perhaps = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 5 });

const drafts = fc.record({
  dealer_id: fc.constantFrom(...DEALERS),
  status: fc.constantFrom(...STATUSES),
  featured: fc.constantFrom(0 as const, 1 as const),
  make: word,
  model: word,
  year: fc.constantFrom(...YEARS),
  price: fc.constantFrom(...PRICES),
  mileage: fc.constantFrom(...MILEAGES),
  electric_range: perhaps(fc.constantFrom(0, 309, 310, 5000)),
  doors: perhaps(fc.constantFrom(2, 5)),
  vin: perhaps(fc.constantFrom(...VINS)),
  stock_number: perhaps(fc.constantFrom(...STOCK_NUMBERS.flat())),
  body_style: perhaps(word),
  fuel_type: perhaps(word),
  transmission: perhaps(word),
  drivetrain: perhaps(word),
  condition: perhaps(word),
  exterior_color: perhaps(word),
  interior_color: perhaps(word),
  trim: perhaps(word),
  listed_at: perhaps(day),
  sold_at: perhaps(day),
  stage: perhaps(fc.nat(2)),
  // Few times for many vehicles, so that most are tied.
  created_at: moment,
  updated_at: moment,
});

/**
 * Stores invented vehicles of the dealers 1 to 3, some with images, and returns them with the model of their filters.
 */
export const storeVehicles = async (db: SqlDatabase): Promise<{ stored: readonly Vehicle[]; model: Model }> => {
  const vehicles = makeVehicleRepository(db);
  const stored: Vehicle[] = [];
  const imaged = new Set<number>();
  for (const [place, { dealer_id, stage, sold_at, ...draft }] of fc
    .sample(drafts, { numRuns: 120, seed: 7 })
    .entries()) {
    const { status, listed_at, created_at } = draft;
    const fields = {
      ...draft,
      listed_at: listed_at ?? created_at,
      sold_at: status === "sold" ? sold_at : null,
      stage: stage === null ? null : (STAGES[status][stage] ?? null),
    };
    const vehicle = made(await vehicles.insert(vehicleFields(dealer_id, fields), OPERATOR)).parse();
    if (place % 3 > 0) {
      stored.push(vehicle);
      continue;
    }
    imaged.add(vehicle.id);
    await storedImages(db).add({
      vehicleId: vehicle.id,
      scope: null,
      draft: { image_url: "https://images.example.com/front.jpg" },
      now: vehicle.created_at,
      by: OPERATOR,
    });
    stored.push(made(await vehicles.find(vehicle.id, null)).parse());
  }
  return { stored, model: matchers(imaged) };
};
