const numberFormat = new Intl.NumberFormat();

/** Formats a number in the browser's language. */
export const formatNumber = (value: number): string => numberFormat.format(value);

/** Formats a number of things, such as "1,200 users" or "1 user". */
export const formatCount = (count: number, noun: string): string =>
  `${formatNumber(count)} ${count === 1 ? noun : `${noun}s`}`;
