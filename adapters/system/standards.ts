import type { Standards } from "../../core/settings/settings.ts";

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** The currencies and time zones that the runtime knows. */
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
