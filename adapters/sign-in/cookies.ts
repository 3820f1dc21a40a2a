import { timingSafeEqual } from "node:crypto";

/** The names of the portal's cookies. */
export interface CookieNames {
  readonly session: string;
  /** Set after the correct password, while the second factor is missing. */
  readonly challenge: string;
  /** Identifies a browser that has signed in before. */
  readonly device: string;
}

/** The names of the cookies. With TLS they have a prefix with which browsers ensure that nobody else sets them. */
export const cookieNames = (secure: boolean): CookieNames => {
  const prefix = secure ? "__Host-" : "";
  const session = `${prefix}vehicle_inventory`;
  return { session, challenge: `${session}_challenge`, device: `${session}_device` };
};

const BLANK = /\s/;

/** True if a cookie's name can begin here: only blanks may be between it and the cookie before. */
const startsCookie = (header: string, at: number): boolean => {
  let before = at - 1;
  while (BLANK.test(header.charAt(before))) before--;
  return before < 0 || header.charAt(before) === ";";
};

/**
 * The value of the cookie with this name. `null` if there is none, or more than one. It searches for the name only,
 * because parsing 16 kB of other cookies would cost more than the rest of a request.
 */
export const cookieNamed = (header: string | null, name: string): string | null => {
  if (header === null) return null;
  const start = `${name}=`;
  let found: string | null = null;
  for (let at = header.indexOf(start); at !== -1; at = header.indexOf(start, at + start.length)) {
    if (!startsCookie(header, at)) continue;
    if (found !== null) return null;
    const end = header.indexOf(";", at);
    found = header.slice(at + start.length, end === -1 ? undefined : end).trimEnd();
  }
  return found;
};

/** The value of a signed cookie without its signature. */
export const withoutSignature = (value: string | null): string | null => {
  try {
    const text = decodeURIComponent(value ?? "");
    return text.includes(".") ? text.slice(0, text.lastIndexOf(".")) : null;
  } catch {
    return null;
  }
};

/** The value of a cookie with its signature, which is an HMAC-SHA-256 with `key`. */
export const signed = (value: string, key: string): string =>
  encodeURIComponent(`${value}.${new Bun.CryptoHasher("sha256", key).update(value).digest("base64")}`);

/** The value of a cookie that was signed with this key. `null` for any other cookie. */
export const verified = (cookie: string | null, key: string): string | null => {
  const value = withoutSignature(cookie);
  if (cookie === null || value === null) return null;
  const given = Buffer.from(decodeURIComponent(cookie));
  const right = Buffer.from(decodeURIComponent(signed(value, key)));
  return given.length === right.length && timingSafeEqual(given, right) ? value : null;
};

/** The Set-Cookie value of a cookie of the portal. */
export const setCookie = ({
  name,
  value,
  seconds,
  secure,
}: {
  readonly name: string;
  readonly value: string;
  readonly seconds: number;
  readonly secure: boolean;
}): string => `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly;${secure ? " Secure;" : ""} SameSite=Strict`;

/** The Set-Cookie value that deletes a cookie. */
export const expiredCookie = (name: string, secure: boolean): string =>
  setCookie({ name, value: "", seconds: 0, secure });

/** The session token in the cookies of a request. `null` if there is none. */
export const sessionTokenOf = (header: string | null, secure: boolean): string | null =>
  withoutSignature(cookieNamed(header, cookieNames(secure).session));
