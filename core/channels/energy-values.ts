import { meaningOf } from "../vehicles/synonyms.ts";
import type { FeedEntry, Value } from "./channel.ts";
import { ASKED, type AskedField } from "./countries.ts";
import { isUsed, priceText, UNITS } from "./values.ts";

/** True if the feed's country asks for a field of this vehicle. */
const isAsked = (field: AskedField, { vehicle, settings }: FeedEntry): boolean => {
  const { countries, of, fuels } = ASKED[field];
  const fuel = vehicle.fuel_type === null ? null : meaningOf("fuel", vehicle.fuel_type);
  return (
    countries.includes(settings.country) &&
    (of === "used") === isUsed(vehicle) &&
    (fuels === undefined || fuels.some((one) => one === fuel))
  );
};

/** A field in the channel's words. It is reported where the country asks for it and the vehicle does not say it. */
const asked = (field: AskedField, inWords: (source: FeedEntry) => string | null): Value => ({
  field,
  write(source, _, report) {
    if (source.vehicle[field] !== null) return inWords(source);
    if (isAsked(field, source)) report({ rule: "asked_by_country", severity: "warning", field });
    return null;
  },
});

const MONTH = 7;

/** The month of the first registration, such as `2021-03`. */
export const FIRST_REGISTERED = asked(
  "date_first_registered",
  ({ vehicle }) => vehicle.date_first_registered?.slice(0, MONTH) ?? null,
);

/** The range on the battery alone, in the feed's unit of distance: `484 km`. */
export const ELECTRIC_RANGE = asked(
  "electric_range",
  ({ vehicle, settings }) => `${vehicle.electric_range} ${UNITS[settings.mileage_unit]}`,
);

/** The consumptions and emissions with their units: `6.2 l/100km`, `17.2 kWh/100km`, `120 g/km`. */
export const FUEL_CONSUMPTION = asked("fuel_consumption", ({ vehicle }) => `${vehicle.fuel_consumption} l/100km`);
export const ENERGY_CONSUMPTION = asked(
  "energy_consumption",
  ({ vehicle }) => `${vehicle.energy_consumption} kWh/100km`,
);
export const CO2_EMISSIONS = asked("co2_emissions", ({ vehicle }) => `${vehicle.co2_emissions} g/km`);

/** Google's words for emissions standards; a longer one stands before those that it begins with. */
const STANDARDS = ["euro6d-TEMP", "euro6d", "euro6c", "euro6e", "euro6", "euro5b", "euro5", "euro4", "euro3", "euro2"]
  .concat(["euro1", "zero_emissions"])
  .map((word) => ({ word, begins: word.toLowerCase().replace(/[^a-z0-9]/g, "") }));

/** Google's word for the emissions standard; nothing for a text that means none of them. */
export const EMISSIONS_STANDARD = asked("emissions_standard", ({ vehicle }) => {
  const text = (vehicle.emissions_standard ?? "").toLowerCase().replace(/[^a-z0-9]/g, "");
  return STANDARDS.find(({ begins }) => text.startsWith(begins))?.word ?? null;
});

/** The suggested retail price with its currency: `31500 USD`. */
export const MSRP: Value = {
  field: "msrp",
  write: ({ vehicle: { msrp }, settings }) => (msrp === null || msrp === 0 ? null : priceText(msrp, settings.currency)),
};
