import { useUnits } from "../settings/settings.tsx";

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** The portal is in English, so its dates are too. */
const LANGUAGE = "en-US";

const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" });

const FORMATS = {
  /** "Nov 20, 2026, 9:11 AM" */
  full: { dateStyle: "medium", timeStyle: "short" },
  /** "Nov 20, 2026" */
  day: { dateStyle: "medium" },
  /** "Friday, November 20, 2026" */
  longDay: { dateStyle: "full" },
  /** "Friday" */
  weekday: { weekday: "long" },
  /** "9:11 AM" */
  time: { timeStyle: "short" },
  /** "9 AM" */
  hour: { hour: "numeric" },
  /** "Fri, 9 AM" */
  weekdayHour: { weekday: "short", hour: "numeric" },
  /** "Nov 20" */
  monthDay: { month: "short", day: "numeric" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;
type Format = keyof typeof FORMATS;
type TimeFormats = Readonly<Record<Format, (at: string) => string>>;

const makeFormats = (timeZone: string | null): TimeFormats =>
  Object.fromEntries(
    Object.entries(FORMATS).map(([name, options]) => {
      const format = new Intl.DateTimeFormat(LANGUAGE, { ...options, ...(timeZone !== null && { timeZone }) });
      return [name, (at: string) => format.format(new Date(at))];
    }),
  ) as TimeFormats;

interface ZonedFormats {
  /** `null` for the browser's time zone. */
  readonly zone: string | null;
  readonly formats: TimeFormats;
}

const zonedFormatsOf = (zone: string | null): ZonedFormats => {
  try {
    return { zone, formats: makeFormats(zone) };
  } catch (error) {
    // An older browser does not know newer time zones.
    if (zone === null || !(error instanceof RangeError)) throw error;
    return zonedFormatsOf(null);
  }
};

// Formats are expensive to create, and every time on a page needs them.
const cache = new Map<string | null, ZonedFormats>();

const useZonedFormats = (): ZonedFormats => {
  const { time_zone } = useUnits();
  const shown = cache.get(time_zone) ?? zonedFormatsOf(time_zone);
  cache.set(time_zone, shown);
  return shown;
};

/** The installation's time zone; the browser's if none is set or the browser does not know it. */
export const useTimeZone = (): string => useZonedFormats().zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Formats for times in the zone of `useTimeZone`. */
export const useTimeFormats = (): TimeFormats => useZonedFormats().formats;

/** "4 minutes ago", "in 3 days". */
const relativeTime = (at: string, now = Date.now()): string => {
  const seconds = (Date.parse(at) - now) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return relative.format(Math.trunc(seconds / length), unit);
};

/** A time without its date, which the page shows elsewhere. */
export const TimeOfDay = ({ at }: { at: string }) => {
  const { full, time } = useTimeFormats();
  return (
    <time dateTime={at} title={full(at)}>
      {time(at)}
    </time>
  );
};

/** A time relative to now; date and time as a tooltip. */
export const RelativeTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={useTimeFormats().full(at)}>
    {relativeTime(at)}
  </time>
);

/** A time as date and time. */
export const DateTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={relativeTime(at)}>
    {useTimeFormats().full(at)}
  </time>
);

/** A time as a date. */
export const CalendarDate = ({ at }: { at: string }) => {
  const { full, day } = useTimeFormats();
  return (
    <time dateTime={at} title={`${full(at)}, ${relativeTime(at)}`}>
      {day(at)}
    </time>
  );
};

// A day of the calendar is the same one in every zone.
const ofCalendar = new Intl.DateTimeFormat(LANGUAGE, { ...FORMATS.day, timeZone: "UTC" });

/** A day of the calendar, such as `2021-03-15`. */
export const Day = ({ of }: { of: string }) => <time dateTime={of}>{ofCalendar.format(new Date(of))}</time>;

/** A relative time as plain text: "in 39 days". */
export const RelativeTimeText = ({ at }: { at: string }) => relativeTime(at);

/** A date with the relative time: "Dec 31, 2026 (in 39 days)". */
export const DateAndRelativeTime = ({ at }: { at: string }) => {
  const { full, day } = useTimeFormats();
  return (
    <time dateTime={at} title={full(at)}>
      {day(at)} ({relativeTime(at)})
    </time>
  );
};

/** Less than a week, so that a weekday means one day only. */
const WEEKDAY_ONLY_MS = 6 * 86_400_000;

/** A future time: "Monday 12:16 PM" within six days, otherwise date and time. */
export const UpcomingTime = ({ at }: { at: string }) => {
  const { full, weekday, time } = useTimeFormats();
  const isNear = Date.parse(at) - Date.now() < WEEKDAY_ONLY_MS;
  return (
    <time dateTime={at} title={relativeTime(at)}>
      {isNear ? `${weekday(at)} ${time(at)}` : full(at)}
    </time>
  );
};

/** A relative time, or a word for `null`. */
export const RelativeTimeOr = ({ at, otherwise }: { at: string | null; otherwise: string }) =>
  at === null ? otherwise : <RelativeTime at={at} />;
