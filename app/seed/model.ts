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

/** An engine of one kind. Its name consists of its displacement and cylinders, or of its motors. */
const kind =
  (fuel: Engine["fuel"], transmission: Engine["transmission"]) =>
  (engine: string): Engine => ({ engine, fuel, transmission });

/** A single motor drives one axle, two motors drive both. */
const electric = (text: string): Engine => {
  const [engine, drives] = [text.slice(0, -4), text.slice(-3)];
  const isDual = engine === "Dual Motor";
  const charge = {
    electric_range: isDual ? 290 : 255,
    battery_capacity: isDual ? 77.4 : 62,
    charge_port: "CCS",
  };
  return { engine, fuel: "electric", transmission: "single-speed", drives, charge };
};

/** Kinds of engines, by the word before their name. */
const KINDS: Readonly<Record<string, (engine: string) => Engine>> = {
  auto: kind("gasoline", "automatic"),
  cvt: kind("gasoline", "CVT"),
  manual: kind("gasoline", "manual"),
  diesel: kind("diesel", "automatic"),
  hybrid: kind("hybrid", "CVT"),
  "plug-in": kind("plug-in hybrid", "automatic"),
  electric,
};

/** An engine as a table names it: `cvt 2.0L I4`, `electric Dual Motor AWD`. */
export const engineNamed = (text: string): Engine => {
  const [word = "", ...name] = text.split(" ");
  const made = KINDS[word]?.(name.join(" "));
  if (made === undefined) throw new Error(`no kind of engine: ${text}`);
  return made;
};
