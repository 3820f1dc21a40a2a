/** Where Google's vehicle ads do not ask for a VIN. */
export const VIN_OPTIONAL: ReadonlySet<string> = new Set(["DE", "FR", "ES", "IT", "NL", "GB"]);

/** The European Economic Area and the United Kingdom, where Google's vehicle ads ask for an `id`. */
export const EUROPE: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK".split(" "),
);

/** Where Google's vehicle ads ask what a price includes. */
export const PRICE_TYPE_ASKED: ReadonlySet<string> = new Set(["AU", "CA", "JP"]);
