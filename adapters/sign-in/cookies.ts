/** Names of the portal's cookies. */
export interface CookieNames {
  readonly session: string;
  /** Of who gave the right password and still owes the second factor. */
  readonly challenge: string;
  /** Of a browser that signed in before. */
  readonly device: string;
}

/** Over TLS the browser itself sees to it that nobody else sets these cookies. */
export const cookieNames = (secure: boolean): CookieNames => {
  const prefix = secure ? "__Host-" : "";
  const session = `${prefix}vehicle_inventory`;
  return { session, challenge: `${session}_challenge`, device: `${session}_device` };
};

/** What every cookie of the portal is set with. */
export const cookieAttributes = (secure: boolean) =>
  ({ path: "/", httpOnly: true, sameSite: "strict", secure }) as const;

const BLANK = /\s/;

/** True where a cookie's name may begin: nothing but blanks stands between here and the cookie before. */
const begins = (header: string, at: number): boolean => {
  let before = at - 1;
  while (before >= 0 && BLANK.test(header.charAt(before))) before--;
  return before < 0 || header.charAt(before) === ";";
};

/**
 * The cookie of this name as it was sent; `null` when there is none, or more than one to choose from. Looks for the name
 * alone: to take 16 kB of other cookies apart costs more than the rest of a request.
 */
export const cookieNamed = (header: string | null, name: string): string | null => {
  if (header === null) return null;
  const start = `${name}=`;
  let found: string | null = null;
  for (let at = header.indexOf(start); at !== -1; at = header.indexOf(start, at + start.length)) {
    if (!begins(header, at)) continue;
    if (found !== null) return null;
    const end = header.indexOf(";", at);
    found = header.slice(at + start.length, end === -1 ? undefined : end).trimEnd();
  }
  return found;
};

/** The value of a signed cookie without its signature. */
export const unsigned = (value: string | null): string | null => {
  try {
    const text = decodeURIComponent(value ?? "");
    return text.includes(".") ? text.slice(0, text.lastIndexOf(".")) : null;
  } catch {
    return null;
  }
};

/** A Set-Cookie of the portal. */
export const setCookie = (name: string, value: string, seconds: number, secure: boolean): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly;${secure ? " Secure;" : ""} SameSite=Strict`;

/** A Set-Cookie that takes a cookie away. */
export const withoutCookie = (name: string, secure: boolean): string => setCookie(name, "", 0, secure);

/** The token of the session that a request's cookies carry; `null` without one. */
export const sessionTokenOf = (header: string | null, secure: boolean): string | null =>
  unsigned(cookieNamed(header, cookieNames(secure).session));
