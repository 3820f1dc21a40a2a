import Type from "typebox";

const MAX_ORIGINS = 20;
const FAULT = `must be a list of 1 to ${MAX_ORIGINS} origins: https, or http with a loopback host, without a path, such as https://www.harbor.example.com`;

// A host with a name or of IPv6 for https, and one of this machine for http; then a port.
const ORIGIN =
  /^(?:https:\/\/(?:[\w-]+(?:\.[\w-]+)*|\[[0-9A-Fa-f:.]+\])|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]))(?::\d{1,5})?$/;
const MAX_ORIGIN = 300;

/** The origins whose pages may use a key, as clients send them. */
export const Origins = Type.Array(
  Type.Refine(
    Type.String({
      maxLength: MAX_ORIGIN,
      fault: "must be an origin: https, or http with a loopback host, without a path",
    }),
    (text) => text.length <= MAX_ORIGIN && ORIGIN.test(text),
  ),
  { minItems: 1, maxItems: MAX_ORIGINS, fault: FAULT, examples: [["https://www.harbor.example.com"]] },
);

const DEFAULT_PORT = /^(https:.*):443$|^(http:.*):80$/;

/** An origin in the form in which browsers send it: in lower case, and without the scheme's own port. */
const asBrowsersSendIt = (origin: string): string =>
  origin.toLowerCase().replace(DEFAULT_PORT, (_, secure = "", plain = "") => secure + plain);

/**
 * True if a request may use a key with these origins. A request without an origin is not from another page: programs
 * send none. Browsers send `null` for pages that have none, which is never allowed.
 */
export const allowsOrigin = (allowed: readonly string[], origin: string | null): boolean =>
  origin === null || allowed.some((one) => asBrowsersSendIt(one) === origin.toLowerCase());
