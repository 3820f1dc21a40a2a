import { dateOf } from "../times/dates.ts";

const DAY_MS = 86_400_000;
const FRIDAY = 5;
const DAYS = 7;
/** The hour at which a lot opens. */
const MORNING = "09:00";

/** The morning of the next Friday, as a field for date and time has it; on a Friday it is that of the next week. */
export const nextFriday = (now = new Date()): string => {
  const days = (FRIDAY - now.getDay() + DAYS) % DAYS || DAYS;
  return `${dateOf(new Date(now.getTime() + days * DAY_MS).toISOString())}T${MORNING}`;
};

/** The moment in a field for date and time; other text stays as typed, for the server to reject. */
export const momentOf = (typed: string): string => {
  const moment = new Date(typed);
  return Number.isNaN(moment.getTime()) ? typed : moment.toISOString();
};
