import type { Meaning } from "../vehicles/synonyms.ts";

/** Where Google's vehicle ads do not ask for a VIN. */
export const VIN_OPTIONAL: ReadonlySet<string> = new Set(["DE", "FR", "ES", "IT", "NL", "GB"]);

/** The European Economic Area and the United Kingdom, where Google's vehicle ads ask for an `id`. */
export const EUROPE: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK".split(" "),
);

/** Where Google's vehicle ads ask what a price includes. */
export const PRICE_TYPE_ASKED: ReadonlySet<string> = new Set(["AU", "CA", "JP"]);

/** Fields that some countries ask for in Google's vehicle ads. */
export type AskedField =
  | "date_first_registered"
  | "electric_range"
  | "fuel_consumption"
  | "energy_consumption"
  | "co2_emissions"
  | "emissions_standard";

/** For which vehicles a field is asked: where, whether new or used ones, and those of which fuels. */
interface Asked {
  readonly countries: readonly string[];
  readonly of: "new" | "used";
  readonly fuels?: readonly Meaning<"fuel">[];
}

const LABELLED = ["DE", "ES", "IT", "NL"];
const CHARGED = ["electric", "plugin_hybrid"] as const;

/** What Google's vehicle ads ask of vehicles by country. */
export const ASKED: Readonly<Record<AskedField, Asked>> = {
  date_first_registered: { countries: ["DE", "ES", "FR", "IT"], of: "used" },
  electric_range: { countries: ["DE"], of: "new", fuels: CHARGED },
  fuel_consumption: {
    countries: LABELLED,
    of: "new",
    fuels: ["gasoline", "petrol", "diesel", "hybrid", "plugin_hybrid", "flex"],
  },
  energy_consumption: { countries: LABELLED, of: "new", fuels: CHARGED },
  co2_emissions: { countries: LABELLED, of: "new" },
  emissions_standard: { countries: ["IT"], of: "new" },
};
