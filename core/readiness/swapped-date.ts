import { msOf, type Timestamp } from "../clock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A vehicle that was listed earlier before its record was made is unusual. */
const MAX_DAYS_BEFORE = 400;
const MOMENT = /^(\d{4})-(0\d|1[0-2])-(0\d|1[0-2])(T.*)$/;

/** The same moment with day and month exchanged; `null` if that is no other date. */
const exchanged = (moment: Timestamp): Timestamp | null => {
  const [, year, month, day, rest] = MOMENT.exec(moment) ?? [];
  // What is no such moment has neither.
  return month === day ? null : `${year}-${day}-${month}${rest}`;
};

const isUsual = (listed: Timestamp, created: Timestamp): boolean => {
  const days = (msOf(created) - msOf(listed)) / DAY_MS;
  return days >= 0 && days <= MAX_DAYS_BEFORE;
};

/** A listed date whose day and month may have been exchanged. */
export interface SwappedDate {
  /** The date with day and month the other way round, if a vehicle may have been listed then. */
  readonly right: Timestamp | null;
}

/**
 * Finds a listed date that is after the record's creation or long before it, and that could be read the other way
 * round; `null` if there is none.
 */
export const swappedDateOf = ({
  listed_at: listed,
  created_at: created,
}: {
  readonly listed_at: Timestamp | null;
  readonly created_at: Timestamp;
}): SwappedDate | null => {
  const other = listed === null || isUsual(listed, created) ? null : exchanged(listed);
  return other === null ? null : { right: isUsual(other, created) ? other : null };
};
