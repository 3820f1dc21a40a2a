import { NO_PARAMETERS, type SentParameters } from "./parameters.ts";

/** The path of an absolute URL, without its query. Any host is accepted, as a client may invent it. */
export const pathOf = (url: string): string => {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
};

/** The query parameters, in the order in which they were sent. */
export const searchOf = (url: string): SentParameters => {
  const start = url.indexOf("?");
  return start === -1 ? NO_PARAMETERS : [...new URLSearchParams(url.slice(start))];
};

const isBroken = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
};

/**
 * The names of query parameters whose percent-encoding is broken, so that their text is lost; `null` if there are none.
 */
export const malformedNames = (url: string): ReadonlySet<string> | null => {
  const start = url.indexOf("?");
  if (start === -1 || !url.includes("%", start)) return null;
  const pairs = url.slice(start + 1).split("&");
  return new Set(pairs.filter(isBroken).flatMap((pair) => [...new URLSearchParams(pair).keys()]));
};

/** Plain decimal digits. `01` and `1e3` are not accepted as other ways to write a number. */
const ID = /^[1-9][0-9]{0,15}$/;

/** The id in a path; `null` if the text is not an id. */
export const idIn = (text: string | undefined): number | null => {
  const number = Number(text);
  return text !== undefined && ID.test(text) && Number.isSafeInteger(number) ? number : null;
};
