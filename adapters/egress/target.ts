import { lookup } from "node:dns/promises";
import { EgressFailure, type EgressProblem } from "../../core/egress/egress.ts";
import { isWithin, type Network, networkOf, refusalOf } from "../../core/egress/networks.ts";

/** The maximum number of addresses of a host that are tried. */
const MAX_ADDRESSES = 4;
/** The default ports of the allowed schemes. */
const PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Names that lead to this machine everywhere, so that no name has to be looked up. */
const OWN_NAME = /(?:^|\.)localhost\.?$/i;
const LOOPBACK = "127.0.0.1";

const UNKNOWN = "no machine is known by its name";

/** Finds all addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Asks the system for the addresses. */
export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** The target of one request. */
export interface Target {
  readonly url: URL;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
}

/** The host of an address, without the brackets of one of version 6. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** The target of an address, which may be relative to `from`. Throws an EgressFailure if it is refused. */
export const targetOf = (text: string, from: URL | null = null): Target => {
  const url = URL.parse(text, from?.href);
  if (url === null) throw new EgressFailure("address_refused", "This is not an address of the web");
  const usual = PORTS[url.protocol];
  if (usual === undefined)
    throw new EgressFailure("address_refused", `Only http and https are fetched, not ${url.protocol}`);
  if (url.username !== "" || url.password !== "")
    throw new EgressFailure("address_refused", `The address on ${url.hostname} may have no user or password in it`);
  return { url, host: hostOf(url), port: url.port === "" ? usual : Number(url.port) };
};

/**
 * The same message for a name that nobody knows and for one that leads into a refused network. Otherwise clients could
 * ask the service for the names and networks that only its machine knows.
 */
const notPublic = (
  host: string,
  problem: EgressProblem,
  options: { readonly detail: string; readonly cause?: unknown },
): EgressFailure =>
  new EgressFailure(problem, `${host} may not be fetched from: no public address is known for it`, options);

/**
 * Why nothing will ever be fetched from an address, as far as that is certain without looking up its host's name; `null`
 * if it is not. Texts that are no address at all are left to the rules of their field.
 */
export const refusalWithoutLookUp =
  (allowed: readonly Network[]) =>
  (text: string): string | null => {
    const url = URL.parse(text);
    if (url === null) return null;
    if (PORTS[url.protocol] === undefined)
      return `must be an https address: nothing is fetched by ${url.protocol.slice(0, -1)}`;
    const host = hostOf(url);
    const isAddress = networkOf(host) !== null;
    const refusal = isAddress || OWN_NAME.test(host) ? refusalOf(isAddress ? host : LOOPBACK, allowed) : null;
    if (refusal !== null) return `must not lead to ${host}, which is ${refusal}; EGRESS_ALLOW can list it`;
    const mayBeAllowed = isAddress ? isWithin(host, allowed) : allowed.length > 0;
    return url.protocol === "http:" && !mayBeAllowed
      ? "must be an https address: http is only for networks that EGRESS_ALLOW lists"
      : null;
  };

/** Finds the addresses of a target. Throws an EgressFailure unless connections to all of them are allowed. */
export const permittedAddresses =
  (allowed: readonly Network[], resolve: Resolve) =>
  async ({ url, host }: Target): Promise<readonly string[]> => {
    const isAddress = networkOf(host) !== null;
    const found = isAddress
      ? [host]
      : await resolve(host).catch((cause) => {
          throw notPublic(host, "address_unknown", { detail: UNKNOWN, cause });
        });
    if (found.length === 0) throw notPublic(host, "address_unknown", { detail: UNKNOWN });
    const [refusal] = found.flatMap((address) => refusalOf(address, allowed) ?? []);
    if (refusal !== undefined)
      throw notPublic(host, "address_refused", { detail: `its address is ${refusal}; EGRESS_ALLOW can list it` });
    if (url.protocol === "http:" && !found.every((address) => isWithin(address, allowed)))
      throw new EgressFailure("address_refused", `${host} is fetched from by https only`);
    return found.toSorted((a, b) => Number(a.includes(":")) - Number(b.includes(":"))).slice(0, MAX_ADDRESSES);
  };
