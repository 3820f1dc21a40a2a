/** A new model. Prices are in whole units of the currency. */
export interface Model {
  readonly make: string;
  readonly model: string;
  readonly bodyStyle: string;
  readonly seats: number;
  readonly newPrice: number;
}

const TABLE: readonly (readonly [make: string, model: string, bodyStyle: string, seats: number, newPrice: number])[] = [
  ["Toyota", "Camry", "sedan", 5, 29_000],
  ["Toyota", "Corolla", "sedan", 5, 23_000],
  ["Toyota", "RAV4", "suv", 5, 32_000],
  ["Toyota", "Tacoma", "pickup", 5, 36_000],
  ["Honda", "Civic", "sedan", 5, 25_000],
  ["Honda", "Accord", "sedan", 5, 30_000],
  ["Honda", "CR-V", "suv", 5, 33_000],
  ["Honda", "Odyssey", "minivan", 8, 40_000],
  ["Ford", "F-150", "pickup", 6, 42_000],
  ["Ford", "Escape", "suv", 5, 31_000],
  ["Ford", "Mustang", "coupe", 4, 38_000],
  ["Chevrolet", "Silverado 1500", "pickup", 6, 41_000],
  ["Chevrolet", "Equinox", "suv", 5, 29_500],
  ["Chevrolet", "Tahoe", "suv", 8, 61_000],
  ["BMW", "330i", "sedan", 5, 46_000],
  ["BMW", "X5", "suv", 5, 66_000],
  ["Mercedes-Benz", "C 300", "sedan", 5, 48_000],
  ["Mercedes-Benz", "GLE 350", "suv", 7, 64_000],
  ["Volkswagen", "Golf GTI", "hatchback", 5, 33_000],
  ["Volkswagen", "Tiguan", "suv", 7, 31_000],
  ["Hyundai", "Elantra", "sedan", 5, 22_500],
  ["Hyundai", "Tucson", "suv", 5, 30_000],
  ["Kia", "Telluride", "suv", 8, 38_000],
  ["Subaru", "Outback", "wagon", 5, 30_500],
  ["Tesla", "Model 3", "sedan", 5, 42_000],
];

/** What dealers have in stock. */
export const MODELS: readonly Model[] = TABLE.map(([make, model, bodyStyle, seats, newPrice]) => ({
  make,
  model,
  bodyStyle,
  seats,
  newPrice,
}));

export const TRIMS = ["Base", "LE", "SE", "XLE", "Limited", "Sport", "Touring", "Premium"] as const;
export const COLOURS = [
  "Midnight Black",
  "Pearl White",
  "Silver Metallic",
  "Ruby Red",
  "Deep Blue",
  "Forest Green",
] as const;
export const INTERIORS = ["Black leather", "Grey cloth", "Beige leather", "Ash", "Saddle brown"] as const;
export const FUELS = ["gasoline", "hybrid", "diesel", "electric"] as const;
export const TRANSMISSIONS = ["automatic", "manual", "cvt"] as const;
export const ENGINES = ["2.5L I4", "2.0L turbo I4", "3.5L V6", "5.0L V8", "1.8L I4 hybrid"] as const;
export const DRIVETRAINS = ["FWD", "RWD", "AWD", "4WD"] as const;
export const CONDITIONS = ["new", "used", "certified"] as const;
/** Ten statuses from which each vehicle's is drawn: eight of ten vehicles are available. */
export const STATUS_SHARES = [...Array<"available">(8).fill("available"), "sold", "pending"] as const;

export const FEATURES = [
  "Bluetooth",
  "Backup Camera",
  "Heated Seats",
  "Adaptive Cruise Control",
  "Lane Keeping Assist",
  "Apple CarPlay",
  "Android Auto",
  "Panoramic Sunroof",
  "Third Row Seating",
  "Remote Start",
  "Blind Spot Monitor",
  "Tow Package",
] as const;

export const SENTENCES = [
  "One owner, no accidents, full service history with every stamp.",
  "Freshly inspected, with new tyres and brakes all round.",
  "A comfortable daily driver that has been kept in a garage.",
  "Comes with two keys, the original manual and floor mats.",
  "Financing and home delivery are available; ask for details.",
  "The seats show next to no wear and nobody smoked in it.",
] as const;

export const PLACES = [
  ["Portland", "OR", "97201"],
  ["Denver", "CO", "80202"],
  ["Austin", "TX", "78701"],
  ["Boston", "MA", "02108"],
  ["Seattle", "WA", "98101"],
] as const;
