import type { Principal } from "../../../core/access/principal.ts";
import type { SteadyClock } from "../../../core/clock.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { andThen } from "../../../core/maybe-promise.ts";
import {
  type Budget,
  baseHeaders,
  budgetOf,
  type Headers,
  NO_STORE,
  type Origins,
  type SharedHeaders,
  sharedApiHeaders,
  sharedNoStoreHeaders,
} from "../protocol/headers.ts";
import { type Audience, Problem } from "../protocol/problem.ts";
import { strictTransport } from "../protocol/strict-transport.ts";
import type { Authentication, Identified } from "./authentication.ts";
import { dealerBudgets, isDealerBudget } from "./dealer-budget.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { addressBudget, allAddressesBudget, isBudgetOfAllAddresses } from "./public-budget.ts";

type From = Parameters<Authentication["identify"]>[1];

/**
 * How the callers of an entry point are identified and limited, and which headers their answers have. What they may do
 * is decided by the policy, in the same way for all entry points.
 */
export interface EntryPoint {
  /** The prefix of every route's path. */
  readonly prefix: "" | "/portal";
  readonly audience: Audience;
  /** The answers that are given again; `null` if none are. */
  readonly keptAnswers: KeptAnswers | null;
  sharedHeaders(request: Request): SharedHeaders;
  /** `from` has the address of the request, and that by which failures are limited. */
  identify(request: Request, from: From): MaybePromise<Identified>;
  /** The same later in a request, which is not a use of a session; `identify` if there is no difference. */
  identifyAgain?(request: Request, from: From): MaybePromise<Identified>;
  /** A problem with the headers of a request whose caller is known. It does not depend on what is requested. */
  checkHeaders(principal: Principal, request: Request): Problem | null;
  /** `address` is only called if the limit holds for each address. */
  budget(principal: Principal, address: () => string): Budget;
  /** The answer to a caller that has reached its limit. */
  overLimitProblem(budget: Pick<Budget, "policy" | "limit">, retrySeconds: number): Problem;
}

const retryAfter = (seconds: number) => ({ "retry-after": String(seconds) });

/**
 * The API. Callers send a key in X-API-Key. Pages of these origins may call it. All keys of a dealer share
 * `dealerLimit` requests a minute unless the dealer has its own limit; `null` for one that follows the dealer's largest
 * key.
 */
export const apiEntryPoint = ({
  authentication,
  origins,
  commonHeaders,
  dealerLimit = null,
  clock = { steadyMs: () => performance.now() },
}: {
  readonly authentication: Authentication;
  readonly origins: Origins;
  readonly commonHeaders: Headers;
  readonly dealerLimit?: number | null;
  readonly clock?: SteadyClock;
}): EntryPoint => {
  const sharedFor = sharedApiHeaders(origins, commonHeaders);
  // The principal of a key is the same object until the key changes.
  const budgets = new WeakMap<Principal, Budget>();
  const sharedOf = dealerBudgets(dealerLimit, clock);
  const publicBudgets = new WeakMap<Principal, Budget>();
  const ofAllAddresses = (principal: Principal): Budget => {
    const known = publicBudgets.get(principal);
    const shared = sharedOf(principal);
    if (known !== undefined && known.shared === shared) return known;
    const made = allAddressesBudget(principal, shared);
    publicBudgets.set(principal, made);
    return made;
  };
  return {
    prefix: "",
    audience: "key",
    keptAnswers: new KeptAnswers(),
    sharedHeaders: (request) => sharedFor(origins === "*" ? null : request.headers.get("origin")),
    identify: (request, from) => authentication.identify(request.headers.get("x-api-key"), from),
    checkHeaders: (principal, request) =>
      authentication.checkAppType(principal, request.headers.get("x-app-type")) ??
      (principal.allowedOrigins === undefined
        ? null
        : authentication.checkOrigin(principal, request.headers.get("origin"))),
    budget(principal, address) {
      if (principal.isPublic) return addressBudget(principal, { address: address(), ofAll: ofAllAddresses(principal) });
      const known = budgets.get(principal);
      const shared = sharedOf(principal);
      if (known !== undefined && known.shared === shared) return known;
      const made = budgetOf({
        subject: `key:${principal.keyId}`,
        policy: principal.appType,
        limit: principal.rateLimit,
        shared,
      });
      budgets.set(principal, made);
      return made;
    },
    overLimitProblem: (budget, seconds) =>
      new Problem(
        "rate_limit_exceeded",
        isDealerBudget(budget)
          ? `The ${budget.limit} requests a minute that all keys of the dealer share are used up`
          : isBudgetOfAllAddresses(budget)
            ? `The API key's ${budget.limit} requests a minute from all addresses are used up`
            : `The API key's ${budget.limit} requests a minute are used up`,
        { headers: retryAfter(seconds) },
      ),
  };
};

/** Finds the signed-in user as they are now. A problem is returned for a user who may use nothing. */
export interface Sessions {
  identify(request: Request): Promise<Principal | Problem | null>;
  /** The same without recording that the session is used. */
  identifyAgain(request: Request): Promise<Principal | Problem | null>;
}

/** The number of requests a minute of one user. A page of the portal makes up to a hundred. */
const PORTAL_LIMIT = 1200;
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

const CROSS_ORIGIN = new Problem(
  "cross_origin",
  "Changes are taken from the portal's own pages only; behind a proxy, PUBLIC_URL must be the address that browsers use",
);
/** The answer to a caller without a valid session. */
export const SIGNED_OUT = new Problem("signed_out", "You are not signed in, or your session has ended");

/** The header in which a page names the user for whom it sends a request, by id. */
const EXPECTED_USER = "x-portal-user";
const OTHER_USER = new Problem("signed_out", "Somebody else is signed in now");

/** The problem with a request that a page sends for another user than the one whose session the browser has by now. */
export const otherUserProblem = ({ headers }: Request, { userId }: Pick<Principal, "userId">): Problem | null =>
  (headers.get(EXPECTED_USER) ?? String(userId)) === String(userId) ? null : OTHER_USER;

/** The answer to a user who must first set up a second factor. */
export const SECOND_FACTOR_REQUIRED = new Problem(
  "second_factor_required",
  "Your account needs a second factor: set one up before you go on",
);

/** The headers that every answer to the portal's pages has. */
export const portalHeaders = (requestId: string): Headers => ({
  ...baseHeaders(requestId),
  ...NO_STORE,
});

/**
 * The origin (scheme, host and port) under which a browser reaches the service. It is the configured one or, if none is
 * configured, that of the request.
 */
const originOf = (request: Request, publicUrl: string | null): string =>
  publicUrl === null ? `http://${request.headers.get("host")}` : new URL(publicUrl).origin;

/** The problem with a change that a page of another site may have sent with the user's cookie; `null` for reads. */
export const crossOriginProblem = (request: Request, publicUrl: string | null): Problem | null => {
  if (SAFE_METHODS.has(request.method)) return null;
  const site = request.headers.get("sec-fetch-site");
  const isOwn =
    request.headers.get("origin") === originOf(request, publicUrl) && (site ?? "same-origin") === "same-origin";
  return isOwn ? null : CROSS_ORIGIN;
};

/** The portal. Callers need a session cookie, and changes must come from its own pages. API keys do not work here. */
export const portalEntryPoint = (sessions: Sessions, publicUrl: string | null): EntryPoint => {
  const shared = sharedNoStoreHeaders(strictTransport(publicUrl));
  const callerOf = (request: Request, found: Promise<Principal | Problem | null>): MaybePromise<Principal | Problem> =>
    andThen(found, (caller) => {
      if (caller === null) return SIGNED_OUT;
      return caller instanceof Problem ? caller : (otherUserProblem(request, caller) ?? caller);
    });
  return {
    prefix: "/portal",
    audience: "account",
    keptAnswers: null,
    sharedHeaders: () => shared,
    identify: (request) => callerOf(request, sessions.identify(request)),
    identifyAgain: (request) => callerOf(request, sessions.identifyAgain(request)),
    checkHeaders: (_, request) => crossOriginProblem(request, publicUrl),
    budget: ({ userId }) => budgetOf({ subject: `user:${userId}`, policy: "portal", limit: PORTAL_LIMIT }),
    overLimitProblem: (_, seconds) =>
      new Problem("rate_limit_exceeded", "You ask for too much at once; wait a moment", {
        headers: retryAfter(seconds),
      }),
  };
};
