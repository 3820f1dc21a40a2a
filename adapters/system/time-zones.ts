import type { TimeZone } from "../../core/cron/cron.ts";

const formatOf = (name: string): Intl.DateTimeFormat | null => {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    return null;
  }
};

/** A time zone of the IANA database. `null` if the runtime does not know the name. */
export const timeZoneOf = (name: string): TimeZone | null => {
  const format = formatOf(name);
  if (format === null) return null;
  return {
    offsetMs(at) {
      const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
      const { year = 0, month = 1, day, hour, minute, second } = parts;
      return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
    },
  };
};
