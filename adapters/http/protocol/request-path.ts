import { NOTHING_SENT, type Sent } from "./parameters.ts";

/** The path of an absolute address, without its query. Takes any host, which a client may have made up. */
export const pathOf = (url: string): string => {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
};

/**
 * The parameters of an address's query that have one of these names, in the order in which they were sent. Others are
 * left out: they mean nothing, and each would come back four times in the links to other pages.
 */
export const searchOf = (url: string, names: ReadonlySet<string>): Sent => {
  const start = url.indexOf("?");
  return start === -1 ? NOTHING_SENT : [...new URLSearchParams(url.slice(start))].filter(([name]) => names.has(name));
};

const isBroken = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
};

/** Names of a query's parameters whose percent-encoding is broken, and whose text was lost with it; `null` for none. */
export const brokenIn = (url: string): ReadonlySet<string> | null => {
  const start = url.indexOf("?");
  if (start === -1 || !url.includes("%", start)) return null;
  const pairs = url.slice(start + 1).split("&");
  return new Set(pairs.filter(isBroken).flatMap((pair) => [...new URLSearchParams(pair).keys()]));
};

/** The number of a record as a path names it; `null` for what is no number of any. */
export const numberOf = (text: string | undefined): number | null => {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
};
