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
const full = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium" });

/** "4 minutes ago", "in 3 days". */
const relativeTime = (at: string, now = Date.now()): string => {
  const seconds = (Date.parse(at) - now) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return relative.format(Math.trunc(seconds / length), unit);
};

/** A moment as "Nov 20, 2026, 9:11 AM". */
export const momentInWords = (at: string): string => full.format(new Date(at));

const weekday = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "full" });
const time = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: "short" });

/** The day of a moment as "Friday, November 20, 2026". */
export const dayInWords = (at: string): string => weekday.format(new Date(at));

/** A moment of a known day as its time. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={full.format(new Date(at))}>
    {time.format(new Date(at))}
  </time>
);

/** A moment relative to now; date and time as a tooltip. */
export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={full.format(new Date(at))}>
    {relativeTime(at)}
  </time>
);

/** A moment as date and time. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={relativeTime(at)}>
    {full.format(new Date(at))}
  </time>
);

/** A moment as a date. */
export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={`${full.format(new Date(at))}, ${relativeTime(at)}`}>
    {day.format(new Date(at))}
  </time>
);

/** A date and how far it is: "Dec 31, 2026 (in 39 days)". */
export const DayAndAgo = ({ at }: { at: string }) => (
  <time dateTime={at} title={full.format(new Date(at))}>
    {day.format(new Date(at))} ({relativeTime(at)})
  </time>
);

const nameOfDay = new Intl.DateTimeFormat(LANGUAGE, { weekday: "long" });
const clock24 = new Intl.DateTimeFormat(LANGUAGE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
/** A day less than a week, so that a weekday names one day only. */
const NAMED_MS = 6 * 86_400_000;

/** A moment that is to come: "Monday 12:16" within six days, date and time otherwise. */
export const Soon = ({ at }: { at: string }) => {
  const date = new Date(at);
  const isNear = date.getTime() - Date.now() < NAMED_MS;
  return (
    <time dateTime={at} title={relativeTime(at)}>
      {isNear ? `${nameOfDay.format(date)} ${clock24.format(date)}` : full.format(date)}
    </time>
  );
};

/** A moment, or a word when there is none. */
export const AgoOr = ({ at, otherwise }: { at: string | null; otherwise: string }) =>
  at === null ? otherwise : <Ago at={at} />;
