/** An engine. */
export interface Engine {
  readonly engine: string;
  readonly fuel: "gasoline" | "diesel" | "hybrid" | "plug-in hybrid" | "electric";
  readonly transmission: "automatic" | "CVT" | "manual" | "single-speed";
  /** The drivetrain, if the engine allows only one. */
  readonly drives?: string;
  /** What an electric one has besides. */
  readonly charge?: {
    readonly electric_range: number;
    readonly battery_capacity: number;
    readonly charge_port: string;
  };
}

/** Body styles with their names, seats and doors. */
export const BODIES = {
  sedan: { style: "sedan", seats: 5, doors: 4 },
  hatchback: { style: "hatchback", seats: 5, doors: 5 },
  wagon: { style: "wagon", seats: 5, doors: 5 },
  coupe: { style: "coupe", seats: 4, doors: 2 },
  convertible: { style: "convertible", seats: 4, doors: 2 },
  roadster: { style: "convertible", seats: 2, doors: 2 },
  suv: { style: "SUV", seats: 5, doors: 5 },
  largeSuv: { style: "SUV", seats: 7, doors: 5 },
  truck: { style: "truck", seats: 5, doors: 4 },
  minivan: { style: "minivan", seats: 8, doors: 5 },
} as const;

/** A model, with what all its vehicles have in common, and how they differ. */
export interface Model {
  readonly name: string;
  /** The world manufacturer identifier: the first three characters of its VINs. */
  readonly wmi: string;
  /** The first model year that was built under this identifier. */
  readonly since: number;
  readonly body: keyof typeof BODIES;
  /** The price of a new vehicle in the cheapest trim, in dollars. */
  readonly price: number;
  /** The trims, from the cheapest to the most expensive. */
  readonly trims: readonly string[];
  readonly engines: readonly Engine[];
  readonly drivetrains: readonly string[];
}

/** A make with its market share. */
export interface Make {
  readonly name: string;
  readonly share: number;
  readonly models: readonly Model[];
}

/** A row of a table of models. Trims and drivetrains are separated by commas. */
type Row = readonly [
  name: string,
  wmi: string,
  since: number,
  body: Model["body"],
  price: number,
  trims: string,
  engines: readonly Engine[],
  drivetrains: string,
];

/** A make with the models of its table. */
export const make = (name: string, share: number, table: readonly Row[]): Make => ({
  name,
  share,
  models: table.map(([name, wmi, since, body, price, trims, engines, drivetrains]) => ({
    name,
    wmi,
    since,
    body,
    price,
    trims: trims.split(", "),
    engines,
    drivetrains: drivetrains.split(", "),
  })),
});

/** An engine of one kind. Its name consists of its displacement and cylinders, or of its motors. */
const kind =
  (fuel: Engine["fuel"], transmission: Engine["transmission"]) =>
  (engine: string): Engine => ({ engine, fuel, transmission });

/** Kinds of engines, by fuel and transmission. */
export const auto = kind("gasoline", "automatic");
export const cvt = kind("gasoline", "CVT");
export const manual = kind("gasoline", "manual");
export const diesel = kind("diesel", "automatic");
export const hybrid = kind("hybrid", "CVT");
export const plugIn = kind("plug-in hybrid", "automatic");
/** A single motor drives one axle, two motors drive both. */
export const electric = (engine: "Single Motor" | "Dual Motor", drives: "FWD" | "RWD" | "AWD"): Engine => ({
  engine,
  fuel: "electric",
  transmission: "single-speed",
  drives,
  charge: {
    electric_range: engine === "Dual Motor" ? 290 : 255,
    battery_capacity: engine === "Dual Motor" ? 77.4 : 62,
    charge_port: "CCS",
  },
});
