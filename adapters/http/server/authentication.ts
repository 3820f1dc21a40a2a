import { allowsAddress } from "../../../core/access/networks.ts";
import type { Principal } from "../../../core/access/principal.ts";
import { FAILED_AUTHENTICATIONS, type RateLimiter } from "../../../core/access/rate-limits.ts";
import type { Clock } from "../../../core/clock.ts";
import { type Credentials, isCurrent, type KeyRefusal, type WhenRefused } from "../../../core/keys/credentials.ts";
import { allowsOrigin } from "../../../core/keys/origins.ts";
import type { Secrets } from "../../../core/keys/secrets.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { AppType } from "../../../core/permissions.ts";
import { Problem } from "../protocol/problem.ts";

const CHALLENGE = { "www-authenticate": "ApiKey" };
const MISSING = new Problem("api_key_missing", "The header X-API-Key is missing", { headers: CHALLENGE });
// All keys that do not work get the same answer, so that nobody learns whether a key ever existed.
const INVALID = new Problem("api_key_invalid", "The API key is not valid", { headers: CHALLENGE });

const ORIGIN_NOT_ALLOWED = new Problem(
  "origin_not_allowed",
  "Pages of this origin may not use the API key; its allowed_origins names those that may",
);

const tooManyFailures = (retrySeconds: number): Problem =>
  new Problem("rate_limit_exceeded", "Too many failed authentications from this address", {
    headers: { "retry-after": String(retrySeconds) },
  });

/** The caller, or the reason why it is refused. */
export type Identified = Principal | Problem | RefusedKey | OutsideNetwork;

/** A caller whose key may not be used from its address. */
export class OutsideNetwork {
  readonly problem: Problem;

  constructor(
    readonly principal: Principal,
    address: string,
  ) {
    this.problem = new Problem(
      "network_not_allowed",
      `The API key may not be used from the address ${address}; its allowed_networks names those from which it may`,
    );
  }
}

export interface AuthenticationPorts {
  readonly credentials: Credentials;
  readonly secrets: Secrets;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  /** The app types whose requests must have X-App-Type. */
  readonly requireAppType: ReadonlySet<AppType>;
}

/** A key that is refused. The answer is the same as for an unknown key, whatever the reason. */
export class RefusedKey {
  constructor(
    /**
     * The key whose secret was sent and no longer works; the request counts for its usage. `null` if no key has the
     * secret.
     */
    readonly keyId: number | null,
    readonly reason: KeyRefusal,
    readonly problem: Problem,
  ) {}
}

/**
 * Steps 2 and 3 of every request (interface 4): who the caller is (interface 5.1), and which app type it states
 * (interface 5.2).
 */
export const makeAuthentication = ({ credentials, secrets, limiter, clock, requireAppType }: AuthenticationPorts) => ({
  /** The caller, or the answer for a key that does not work. Only in the second case is `address` called. */
  identify(
    presented: string | null,
    { address, network: addressOfLimit }: { readonly address: () => string; readonly network: () => string },
  ): MaybePromise<Identified> {
    const hash = presented === null ? null : secrets.recognise(presented, credentials.isKnown);
    let refusedKeyId: number | null = null;
    let reason: KeyRefusal = presented === null ? "missing" : hash === null ? "malformed" : "unknown";
    const refused: WhenRefused = (keyId, why) => {
      refusedKeyId = keyId;
      reason = why;
    };
    return andThen(hash === null ? null : credentials.find(hash, refused), (credential): MaybePromise<Identified> => {
      if (credential !== null && isCurrent(credential, clock.now())) {
        const { principal } = credential;
        return principal.allowedNetworks === undefined || allowsAddress(principal.allowedNetworks, address())
          ? principal
          : new OutsideNetwork(principal, address());
      }
      if (credential !== null) reason = "expired";
      const keyId = credential?.principal.keyId ?? refusedKeyId;
      return andThen(
        limiter.take(`address:${addressOfLimit()}`, FAILED_AUTHENTICATIONS),
        ({ admitted, retrySeconds }) => {
          const problem = admitted ? (presented === null ? MISSING : INVALID) : tooManyFailures(retrySeconds);
          return new RefusedKey(keyId, reason, problem);
        },
      );
    });
  },

  /** The problem if the sent app type is not that of the key, or if a required one is missing. */
  checkAppType(principal: Principal, sent: string | null): Problem | null {
    if (sent === null)
      return requireAppType.has(principal.appType)
        ? new Problem("app_type_mismatch", `The header X-App-Type: ${principal.appType} is required with this key`)
        : null;
    return sent === principal.appType
      ? null
      : new Problem("app_type_mismatch", "The header X-App-Type does not match the API key");
  },

  /** The problem if pages of this origin may not use the key. */
  checkOrigin: ({ allowedOrigins }: Principal, origin: string | null): Problem | null =>
    allowedOrigins === undefined || allowsOrigin(allowedOrigins, origin) ? null : ORIGIN_NOT_ALLOWED,
});

export type Authentication = ReturnType<typeof makeAuthentication>;
