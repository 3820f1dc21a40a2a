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

/** The cookie of this name as it was sent; `null` when there is none, or more than one to choose from. */
export const cookieNamed = (header: string | null, name: string): string | null => {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? (values[0] ?? null) : null;
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
