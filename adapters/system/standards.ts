import type { Standards } from "../../core/settings/settings.ts";

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** Currencies and time zones, as the runtime knows them. */
export const standards: Standards = {
  isCurrency: (code) => CURRENCIES.has(code),
  isTimeZone(name) {
    try {
      new Intl.DateTimeFormat("en", { timeZone: name });
      return true;
    } catch {
      return false;
    }
  },
};
