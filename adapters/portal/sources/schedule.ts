/** A schedule that users choose by name. */
interface NamedSchedule {
  readonly label: string;
  /** Matches its cron expressions; the groups are the minute and the hour. */
  readonly cron: RegExp;
  /** True if it has a time of day. */
  readonly isTimed: boolean;
  readonly write: (minute: number, hour: number) => string;
}

/** THE table: schedules with a name. Users type any other as a cron expression. */
const NAMED_SCHEDULES = {
  daily: {
    label: "Every day",
    cron: /^(\d{1,2}) (\d{1,2}) \* \* \*$/,
    isTimed: true,
    write: (minute, hour) => `${minute} ${hour} * * *`,
  },
  weekdays: {
    label: "Monday to Friday",
    cron: /^(\d{1,2}) (\d{1,2}) \* \* (?:mon-fri|1-5)$/i,
    isTimed: true,
    write: (minute, hour) => `${minute} ${hour} * * mon-fri`,
  },
  sixHours: { label: "Every 6 hours", cron: /^0 \*\/6 \* \* \*$/, isTimed: false, write: () => "0 */6 * * *" },
  hourly: { label: "Every hour", cron: /^0 \* \* \* \*$/, isTimed: false, write: () => "0 * * * *" },
  quarters: { label: "Every 15 minutes", cron: /^\*\/15 \* \* \* \*$/, isTimed: false, write: () => "*/15 * * * *" },
} as const satisfies Readonly<Record<string, NamedSchedule>>;

/** The name of a schedule; "own" for one without a name. */
export type ScheduleName = keyof typeof NAMED_SCHEDULES | "own";

const NAMES = Object.keys(NAMED_SCHEDULES) as (keyof typeof NAMED_SCHEDULES)[];

/** The schedules to choose from. */
export const SCHEDULE_CHOICES: readonly (readonly [every: ScheduleName, label: string])[] = [
  ...NAMES.map((name) => [name, NAMED_SCHEDULES[name].label] as const),
  ["own", "Another schedule"],
];

/** A schedule as it stands in a form. */
export interface TypedSchedule {
  readonly every: ScheduleName;
  /** "02:30", for schedules with a time of day. */
  readonly time: string;
  /** The cron expression of a schedule without a name. */
  readonly schedule: string;
}

/** True if a schedule has a time of day. */
export const hasTimeOfDay = (every: ScheduleName): boolean => every !== "own" && NAMED_SCHEDULES[every].isTimed;

const twoDigits = (number: string | undefined): string => (number ?? "0").padStart(2, "0");

/** A cron expression as the form holds it. */
export const typedSchedule = (schedule: string): TypedSchedule => {
  for (const name of NAMES) {
    const found = NAMED_SCHEDULES[name].cron.exec(schedule.trim());
    if (found !== null) return { every: name, time: `${twoDigits(found[2])}:${twoDigits(found[1])}`, schedule };
  }
  return { every: "own", time: "00:00", schedule };
};

/** The cron expression of a typed schedule. */
export const scheduleOf = ({ every, time, schedule }: TypedSchedule): string => {
  if (every === "own") return schedule;
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return NAMED_SCHEDULES[every].write(minute, hour);
};

/** "Every day at 02:30"; for a schedule without a name, its cron expression. */
export const scheduleInWords = (schedule: string): string => {
  const { every, time } = typedSchedule(schedule);
  if (every === "own") return schedule;
  const { label } = NAMED_SCHEDULES[every];
  return hasTimeOfDay(every) ? `${label} at ${time}` : label;
};
