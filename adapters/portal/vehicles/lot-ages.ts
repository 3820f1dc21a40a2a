/** A range of whole days on the lot; both ends belong to it. */
export interface LotAge {
  readonly from: number;
  /** `null` means that the range has no end. */
  readonly to: number | null;
}

/** The four ages of vehicles, as reports have them. */
export const LOT_AGES: readonly LotAge[] = [
  { from: 0, to: 30 },
  { from: 31, to: 60 },
  { from: 61, to: 90 },
  { from: 91, to: null },
];

/** A range of days in words. */
export const ageInWords = ({ from, to }: LotAge): string =>
  to === null ? `Over ${from - 1} days` : `${from} to ${to} days`;

/** The number of the age that so many days belong to, from 1 to 4. Each has its colour. */
export const lotAgeOf = (days: number): number => LOT_AGES.findLastIndex(({ from }) => days >= from) + 1;

const isWithin = ({ from, to }: LotAge, { from: first, to: last }: LotAge): boolean =>
  from >= first && (last === null || (to !== null && to <= last));

/** The ages that lie within a range. */
export const agesWithin = (range: LotAge | null): readonly LotAge[] =>
  range === null ? [] : LOT_AGES.filter((age) => isWithin(age, range));

/**
 * The range after an age was ticked or cleared; `null` for none. A filter has one range, so the ages between two that are
 * ticked belong to it, and clearing one of those leaves the ages below it.
 */
export const rangeAfter = (ticked: readonly LotAge[], age: LotAge, isTicked: boolean): LotAge | null => {
  const [first, last] = [ticked[0], ticked.at(-1)];
  if (first === undefined || last === undefined) return isTicked ? age : null;
  if (isTicked) {
    const end = age.from > last.from ? age : last;
    return { from: Math.min(first.from, age.from), to: end.to };
  }
  const left = age === first ? ticked.slice(1) : ticked.slice(0, ticked.indexOf(age));
  const [begin, end] = [left[0], left.at(-1)];
  return begin === undefined || end === undefined ? null : { from: begin.from, to: end.to };
};
