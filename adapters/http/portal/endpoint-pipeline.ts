import type { RateLimiter } from "../../../core/access/rate-limits.ts";
import {
  type SecondFactorRule,
  usersMustSetUpSecondFactor,
} from "../../../core/access/rules/users-must-set-up-second-factor.ts";
import type { Client } from "../../../core/sign-in/authenticator.ts";
import type { Devices } from "../../../core/sign-in/devices.ts";
import { callerOf, type SignedIn } from "../../../core/sign-in/sessions.ts";
import { limitedAddress } from "../protocol/addresses.ts";
import { Problem } from "../protocol/problem.ts";
import { withOrigin } from "../server/caller.ts";
import {
  crossOriginProblem,
  type EntryPoint,
  otherUserProblem,
  SECOND_FACTOR_REQUIRED,
  SIGNED_OUT,
} from "../server/entry-point.ts";
import { Exchange, type Incoming, type Result, type Step } from "../server/exchange.ts";
import type { OpenLimits } from "../server/open-limits.ts";
import type { PipelineParts } from "../server/parts.ts";
import { respondThrough } from "../server/pipeline.ts";
import type { Endpoint } from "../server/router.ts";
import {
  change,
  checkHeaders,
  countRequest,
  readBody,
  refuseBadBody,
  refuseOverLimit,
  resultOf,
} from "../server/steps.ts";
import type { OpenEndpoint, OwnEndpoint, PortalEndpoint } from "./endpoint.ts";
import type { HashingGate } from "./hashing-gate.ts";

export interface PortalParts extends PipelineParts {
  readonly entryPoint: EntryPoint;
  readonly publicUrl: string | null;
  readonly signedIn: (request: Request) => Promise<SignedIn | null>;
  readonly openLimits: OpenLimits;
  readonly devices: Pick<Devices, "of">;
  readonly requireSecondFactor: SecondFactorRule;
  /** Clients without a session have a gate of their own, so that they never keep signed-in users waiting. */
  readonly gates: Readonly<Record<PortalEndpoint["for"], HashingGate>>;
}

/** The number of requests a minute in which one user may have password hashes created or compared. */
const HASHING_LIMIT = 20;

/** A request to an endpoint, with its session and its browser. */
class PortalExchange extends Exchange {
  signedIn: SignedIn | null = null;
  client: Client;

  constructor(incoming: Incoming, parts: PipelineParts) {
    super(incoming, parts);
    const { headers } = incoming.request;
    this.client = {
      cookies: headers.get("cookie"),
      address: this.address,
      limitedAs: limitedAddress(this.address),
      userAgent: headers.get("user-agent"),
      requestId: this.requestId,
      waitSeconds: null,
    };
  }

  get call() {
    return { client: this.client, params: this.params, body: this.body };
  }
}

type PortalStep = Step<PortalExchange>;

/** Finds the user of the session, as they are now. */
const identifyUser =
  ({ beforeSecondFactor }: OwnEndpoint, { signedIn, requireSecondFactor }: PortalParts): PortalStep =>
  async (exchange) => {
    exchange.caller = null;
    exchange.signedIn = await signedIn(exchange.request);
    const principal = exchange.signedIn && callerOf(exchange.signedIn);
    if (exchange.signedIn === null || principal === null) return SIGNED_OUT;
    const other = otherUserProblem(exchange.request, principal);
    if (other !== null) return other;
    if (!beforeSecondFactor && usersMustSetUpSecondFactor(requireSecondFactor, exchange.signedIn))
      return SECOND_FACTOR_REQUIRED;
    exchange.caller = withOrigin(principal, exchange);
    return undefined;
  };

/** Refuses a change that another site's page may have sent. */
const refuseCrossOrigin =
  ({ publicUrl }: PortalParts): PortalStep =>
  ({ request }) =>
    crossOriginProblem(request, publicUrl) ?? undefined;

/**
 * Admits a client if its address is under the limit. Otherwise a known browser is admitted, but may only sign in as its
 * own user.
 */
const limitAddress =
  ({ limit, knowsDevices }: OpenEndpoint, { openLimits, devices, warnOfProxy }: PortalParts): PortalStep =>
  async (exchange) => {
    warnOfProxy(exchange.request);
    const { client } = exchange;
    const exceeded = await openLimits.take(limit, client.limitedAs);
    if (exceeded === null) return undefined;
    const device = knowsDevices ? await devices.of(client) : null;
    if (device === null || (await openLimits.takeForDevice(limit, device.id)) !== null) return exceeded;
    exchange.client = { ...client, waitSeconds: Number(exceeded.headers["retry-after"]) };
    return undefined;
  };

/**
 * Limits how often a user has hashes created or compared. A request with a bad body needs no hash, so it is not
 * counted.
 */
const limitHashing =
  (limiter: RateLimiter, { overLimitProblem }: EntryPoint): PortalStep =>
  async ({ body, principal }) => {
    if (body instanceof Problem) return undefined;
    const { admitted, retrySeconds } = await limiter.take(`hashing:${principal.userId}`, HASHING_LIMIT);
    return admitted ? undefined : overLimitProblem({ policy: "portal", limit: HASHING_LIMIT }, retrySeconds);
  };

/** Runs a step that creates or compares hashes when its turn comes. If too many are waiting, the request is refused. */
const throughGate = (gate: HashingGate, step: PortalStep): PortalStep => {
  return (exchange) => gate.run(async () => step(exchange));
};

const handleOpen =
  ({ handle, knowsDevices, limit }: OpenEndpoint, { openLimits, entryPoint }: PortalParts): PortalStep =>
  async ({ call, client }): Promise<Result> => {
    const result = resultOf(await handle(call), entryPoint.audience);
    if (knowsDevices && !(result instanceof Problem)) openLimits.recordSuccess(limit, client.limitedAs);
    return result;
  };

const handleOwn =
  ({ handle }: OwnEndpoint, { entryPoint }: PortalParts): PortalStep =>
  async ({ call, signedIn, principal }) => {
    if (signedIn === null) return SIGNED_OUT;
    return resultOf(await handle({ ...call, signedIn, by: principal }), entryPoint.audience);
  };

const gated =
  (endpoint: PortalEndpoint, { gates }: PortalParts) =>
  (step: PortalStep): PortalStep =>
    endpoint.hashes ? throughGate(gates[endpoint.for], step) : step;

/** The order of checks for clients that are not signed in. */
const openSteps = (endpoint: OpenEndpoint, parts: PortalParts): PortalStep[] => [
  refuseCrossOrigin(parts), // 403
  limitAddress(endpoint, parts), // 429
  ...(endpoint.body !== undefined ? [readBody({})] : []),
  refuseBadBody, // 400, 413, 415
  gated(endpoint, parts)(handleOpen(endpoint, parts)),
];

/** The order of checks for a user's own account. The session may end while the body arrives or the request waits. */
const ownSteps = (endpoint: OwnEndpoint, parts: PortalParts): PortalStep[] => {
  const { entryPoint, limiter } = parts;
  const identify = identifyUser(endpoint, parts);
  return [
    identify, // 401; 403 without the second factor that is asked for
    countRequest(entryPoint, parts),
    checkHeaders(entryPoint), // 403
    refuseOverLimit, // 429
    ...(endpoint.body !== undefined ? [readBody({})] : []),
    ...(endpoint.hashes ? [limitHashing(limiter, entryPoint)] : []), // 429
    gated(
      endpoint,
      parts,
    )(
      change(endpoint.body !== undefined, [identify, refuseBadBody], handleOwn(endpoint, parts)), // 400, 413, 415
    ),
  ];
};

/** Answers requests to an endpoint, through the same pipeline as routes. */
export const respondFrom = (endpoint: PortalEndpoint, parts: PortalParts): Endpoint => {
  const { method, path } = endpoint;
  const operation = `${method} ${path}`;
  const respond = respondThrough(
    {
      pattern: path,
      isChange: method !== "GET",
      entryPoint: parts.entryPoint,
      denied: ({ principal }) => ({ operation, resource: "users", resourceId: principal.userId }),
      begin: (incoming) => new PortalExchange(incoming, parts),
      steps: endpoint.for === "anybody" ? openSteps(endpoint, parts) : ownSteps(endpoint, parts),
    },
    parts,
  );
  return { method, path, respond };
};
