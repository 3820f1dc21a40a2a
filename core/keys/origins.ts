import Type from "typebox";
import { patterned } from "../schema.ts";

const MAX_ORIGINS = 20;
const HOST = "[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*";
const LOOPBACK = "localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1\\]";
const FAULT = `must be a list of 1 to ${MAX_ORIGINS} origins: https, or http with a loopback host, without a path, such as https://www.harbor.example.com`;

/** The origins whose pages may use a key, as clients send them. */
export const Origins = Type.Array(
  patterned({
    pattern: `^(?:https://(?:${HOST}|\\[[0-9A-Fa-f:.]+\\])|http://(?:${LOOPBACK}))(?::[0-9]{1,5})?$`,
    max: 300,
    fault: "must be an origin: https, or http with a loopback host, without a path",
  }),
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
