import { useUnits } from "../settings/settings.tsx";

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** The portal's words are English, so those of its dates are, too. */
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
  /** "09:11" */
  time24: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;
type Format = keyof typeof FORMATS;
type Moments = Readonly<Record<Format, (at: string) => string>>;

const momentsIn = (timeZone: string | null): Moments =>
  Object.fromEntries(
    Object.entries(FORMATS).map(([name, options]) => {
      const format = new Intl.DateTimeFormat(LANGUAGE, { ...options, ...(timeZone !== null && { timeZone }) });
      return [name, (at: string) => format.format(new Date(at))];
    }),
  ) as Moments;

interface Shown {
  /** `null` for the browser's own zone. */
  readonly zone: string | null;
  readonly moments: Moments;
}

const shownIn = (zone: string | null): Shown => {
  try {
    return { zone, moments: momentsIn(zone) };
  } catch (error) {
    // An older browser does not know zones that were named since.
    if (zone === null || !(error instanceof RangeError)) throw error;
    return shownIn(null);
  }
};

// Formats are costly to make, and every moment on a page needs them.
const made = new Map<string | null, Shown>();

const useShown = (): Shown => {
  const { time_zone } = useUnits();
  const shown = made.get(time_zone) ?? shownIn(time_zone);
  made.set(time_zone, shown);
  return shown;
};

/** The installation's time zone, or the browser's where it has none or the browser does not know it. */
export const useTimeZone = (): string => useShown().zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** How moments are written in the zone of `useTimeZone`. */
export const useMoments = (): Moments => useShown().moments;

/** "4 minutes ago", "in 3 days". */
const relativeTime = (at: string, now = Date.now()): string => {
  const seconds = (Date.parse(at) - now) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return relative.format(Math.trunc(seconds / length), unit);
};

/** A moment of a known day as its time. */
export const Time = ({ at }: { at: string }) => {
  const { full, time } = useMoments();
  return (
    <time dateTime={at} title={full(at)}>
      {time(at)}
    </time>
  );
};

/** A moment relative to now; date and time as a tooltip. */
export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={useMoments().full(at)}>
    {relativeTime(at)}
  </time>
);

/** A moment as date and time. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={relativeTime(at)}>
    {useMoments().full(at)}
  </time>
);

/** A moment as a date. */
export const Day = ({ at }: { at: string }) => {
  const { full, day } = useMoments();
  return (
    <time dateTime={at} title={`${full(at)}, ${relativeTime(at)}`}>
      {day(at)}
    </time>
  );
};

/** How far a moment is: "in 39 days". */
export const HowFar = ({ at }: { at: string }) => relativeTime(at);

/** A date and how far it is: "Dec 31, 2026 (in 39 days)". */
export const DayAndAgo = ({ at }: { at: string }) => {
  const { full, day } = useMoments();
  return (
    <time dateTime={at} title={full(at)}>
      {day(at)} ({relativeTime(at)})
    </time>
  );
};

/** Less than a week, so that a weekday names one day only. */
const NAMED_MS = 6 * 86_400_000;

/** A moment that is to come: "Monday 12:16" within six days, date and time otherwise. */
export const Soon = ({ at }: { at: string }) => {
  const { full, weekday, time24 } = useMoments();
  const isNear = Date.parse(at) - Date.now() < NAMED_MS;
  return (
    <time dateTime={at} title={relativeTime(at)}>
      {isNear ? `${weekday(at)} ${time24(at)}` : full(at)}
    </time>
  );
};

/** A moment, or a word when there is none. */
export const AgoOr = ({ at, otherwise }: { at: string | null; otherwise: string }) =>
  at === null ? otherwise : <Ago at={at} />;
