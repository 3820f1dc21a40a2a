/** A repeating schedule in local time. Each moment at which it is due is called a tick. */
export interface Cron {
  /** The times of day of the ticks, in minutes since midnight, in ascending order. */
  readonly times: readonly number[];
  /**
   * True if there are ticks on this day. The day is given as the milliseconds of its midnight, as if it were in UTC.
   */
  readonly isDay: (dayMs: number) => boolean;
}

/** The local time of a place. */
export interface TimeZone {
  /** How far local time is ahead of UTC at this moment. Both are in milliseconds. */
  offsetMs(at: number): number;
}

/** The shortest allowed time between two ticks. */
const MIN_INTERVAL_MINUTES = 15;

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
/**
 * The longest search for the next day. The 29th of February can be missing for 8 years, around a century year that is
 * not a leap year.
 */
const MAX_DAYS_BETWEEN = 366 * 9;
/** After this number of days, all dates fall on the same days of the week again, leap days included. */
const CYCLE_DAYS = 365 * 28 + 7;

interface Field {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** Names of the values, beginning with `first`. */
  readonly words?: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: "minute", first: 0, last: 59 },
  { name: "hour", first: 0, last: 23 },
  { name: "day of the month", first: 1, last: 31 },
  { name: "month", first: 1, last: 12, words: "jan feb mar apr may jun jul aug sep oct nov dec".split(" ") },
  // Both 0 and 7 are Sunday.
  { name: "day of the week", first: 0, last: 7, words: "sun mon tue wed thu fri sat".split(" ") },
];

const PART = /^(?:\*|([a-z]{3}|\d{1,2})(?:-([a-z]{3}|\d{1,2}))?)(?:\/(\d{1,2}))?$/;

/** The values of a field, or a text that says what is wrong with it. */
const valuesOf = (text: string, { name, first, last, words = [] }: Field): ReadonlySet<number> | string => {
  const numberOf = (word: string): number => {
    const index = words.indexOf(word);
    return index >= 0 ? first + index : Number(word);
  };
  const values = new Set<number>();
  for (const part of text.toLowerCase().split(",")) {
    const [match, from, to, step] = PART.exec(part) ?? [];
    const start = from === undefined ? first : numberOf(from);
    const end = to !== undefined ? numberOf(to) : from === undefined ? last : start;
    const isInside = start >= first && start <= end && end <= last;
    const isStepped = step === undefined || (Number(step) > 0 && (from === undefined || to !== undefined));
    if (match === undefined || !isInside || !isStepped)
      return `has a ${name} that is not one of ${first} to ${last}, a range, a step such as */2, or a list of these`;
    for (let value = start; value <= end; value += Number(step ?? 1)) values.add(value);
  }
  return values;
};

/** The first day with a tick on or after a day; `null` if there is none. */
const nextDay = (isDay: Cron["isDay"], fromMs: number): number | null => {
  for (let day = 0; day < MAX_DAYS_BETWEEN; day++) if (isDay(fromMs + day * DAY_MS)) return fromMs + day * DAY_MS;
  return null;
};

const hasTwoDaysRunning = (isDay: Cron["isDay"]): boolean => {
  for (let day = 0; day < CYCLE_DAYS; day++) if (isDay(day * DAY_MS) && isDay((day + 1) * DAY_MS)) return true;
  return false;
};

/** True if any two ticks are far enough apart, not considering changes to or from summer time. */
const isFarEnoughApart = ({ times, isDay }: Cron): boolean => {
  if (times.some((time, index) => time - (times[index - 1] ?? Number.NEGATIVE_INFINITY) < MIN_INTERVAL_MINUTES))
    return false;
  const overMidnight = (times[0] ?? 0) + DAY_MINUTES - (times.at(-1) ?? 0);
  return overMidnight >= MIN_INTERVAL_MINUTES || !hasTwoDaysRunning(isDay);
};

/**
 * Parses a schedule of five fields: minute, hour, day of the month, month and day of the week. If neither of the two
 * fields for days begins with a star, a day must match only one of them. Returns a text if the schedule is invalid; the
 * text is meant to follow the name of the input.
 */
export const cronOf = (text: string): Cron | string => {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== FIELDS.length)
    return "must have 5 fields: minute, hour, day of the month, month and day of the week, such as 30 2 * * *";
  const fields: ReadonlySet<number>[] = [];
  for (const [index, field] of FIELDS.entries()) {
    const values = valuesOf(parts[index] ?? "", field);
    if (typeof values === "string") return values;
    fields.push(values);
  }
  const [minutes = new Set(), hours = new Set(), days, months, weekdays] = fields;
  const isEither = !(parts[2]?.startsWith("*") || parts[4]?.startsWith("*"));
  const cron: Cron = {
    times: [...hours]
      .flatMap((hour) => [...minutes].map((minute) => hour * HOUR_MINUTES + minute))
      .sort((a, b) => a - b),
    isDay(dayMs) {
      const date = new Date(dayMs);
      if (!months?.has(date.getUTCMonth() + 1)) return false;
      const isOfMonth = days?.has(date.getUTCDate()) ?? false;
      const weekday = date.getUTCDay();
      const isOfWeek = weekdays?.has(weekday) || (weekday === 0 && weekdays?.has(7)) || false;
      return isEither ? isOfMonth || isOfWeek : isOfMonth && isOfWeek;
    },
  };
  if (nextDay(cron.isDay, 0) === null) return "names a day that no month has";
  return isFarEnoughApart(cron) ? cron : `must leave ${MIN_INTERVAL_MINUTES} minutes or more between two times`;
};

/**
 * The first moment at which local time is this time. If the clock skips it when it is put forward, the moment of the
 * skip.
 */
const utcTimeOf = (wallMs: number, zone: TimeZone): number => {
  const before = zone.offsetMs(wallMs - DAY_MS);
  const after = zone.offsetMs(wallMs + DAY_MS);
  if (zone.offsetMs(wallMs - before) === before) return wallMs - before;
  if (zone.offsetMs(wallMs - after) === after) return wallMs - after;
  // The clock skips this time: it is put forward between these two moments.
  let early = wallMs - after;
  let late = wallMs - before;
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    if (zone.offsetMs(middle) === before) early = middle;
    else late = middle;
  }
  return late;
};

/**
 * The first tick after a moment, in milliseconds; `null` if there is none. A time that the clock shows twice has one
 * tick, the first time. A time that the clock skips has its tick when the clock is put forward.
 */
export const tickAfter = (cron: Cron, zone: TimeZone, atMs: number): number | null => {
  const wallMs = atMs + zone.offsetMs(atMs);
  const today = Math.floor(wallMs / DAY_MS) * DAY_MS;
  // The day before is included: if the clock is put back over midnight, its last times come again.
  for (let day = nextDay(cron.isDay, today - DAY_MS); day !== null; day = nextDay(cron.isDay, day + DAY_MS))
    for (const time of cron.times) {
      const moment = utcTimeOf(day + time * MINUTE_MS, zone);
      if (moment > atMs) return moment;
    }
  return null;
};

/** The next tick that is at least 15 minutes after this tick. The clock may be put forward in between. */
export const followingTick = (cron: Cron, zone: TimeZone, tickMs: number): number | null =>
  tickAfter(cron, zone, tickMs + MIN_INTERVAL_MINUTES * MINUTE_MS - 1);
