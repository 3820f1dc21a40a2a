import type { Principal } from "../../../core/access/principal.ts";
import type { RateLimiter } from "../../../core/access/rate-limits.ts";
import { whileWarranted } from "../../../core/access/warrant.ts";
import { Failure, type Outcome } from "../../../core/failure.ts";
import type { Client } from "../../../core/sign-in/authenticator.ts";
import type { Devices } from "../../../core/sign-in/devices.ts";
import { mustSetUpSecondFactor, type SecondFactorRule } from "../../../core/sign-in/second-factor-rule.ts";
import { callerOf, type SignedIn } from "../../../core/sign-in/sessions.ts";
import { addressOfRequest, limitedAddress } from "../addresses.ts";
import { codeOf } from "../answer-facts.ts";
import { readJson } from "../body.ts";
import { crossOrigin, type Door, portalHeaders, SECOND_FACTOR_REQUIRED, SIGNED_OUT } from "../door.ts";
import type { OpenLimit, OpenLimits } from "../open-limits.ts";
import type { Incoming, PipelineParts } from "../pipeline.ts";
import { Problem, problemOf } from "../problem.ts";
import { problemResponse, sayGoodbye, unexpected } from "../problem-response.ts";
import { requestIdOf } from "../request-id.ts";
import { type Access, accessLog, logFailure } from "../request-log.ts";
import { jsonResponse } from "../response-headers.ts";
import type { Method } from "../route.ts";
import type { Endpoint } from "../router.ts";
import type { HashingGate } from "./hashing-gate.ts";

/** An answer in JSON, and cookies to be set or taken away with it. */
export interface PortalAnswer {
  readonly body: unknown;
  readonly cookies?: readonly string[];
}

/** What an endpoint gets: checked as far as it can be without knowing what is asked. */
interface Call {
  readonly client: Client;
  readonly params: Readonly<Record<string, string>>;
  /** Parsed JSON; `undefined` where the endpoint takes none. */
  readonly body: unknown;
}

/** What an endpoint of a user's own account gets besides. */
interface OwnCall extends Call {
  readonly signedIn: SignedIn;
  /** The user, as who makes the change. */
  readonly by: Principal;
}

interface Shape {
  readonly method: Method;
  readonly path: `/portal/api/${string}`;
  readonly takesBody?: boolean;
  /** True for what makes or compares password hashes. */
  readonly hashes?: boolean;
}

/** An endpoint that is not a route of the policy's: it is about who is asking, not about a record. */
export type PortalEndpoint = Shape &
  (
    | {
        readonly for: "anybody";
        readonly limit: OpenLimit;
        /** True where a browser that signed in before has attempts of its own. */
        readonly knowsDevices?: boolean;
        readonly handle: (call: Call) => Promise<Outcome<PortalAnswer>>;
      }
    | {
        readonly for: "signed in";
        /** True for what is open to who has to set up a second factor before anything else. */
        readonly beforeSecondFactor?: boolean;
        readonly handle: (call: OwnCall) => Promise<Outcome<PortalAnswer>>;
      }
  );

export interface PortalParts extends PipelineParts {
  readonly limiter: RateLimiter;
  readonly door: Pick<Door, "budget" | "exhausted">;
  readonly publicUrl: string | null;
  readonly signedIn: (request: Request) => Promise<SignedIn | null>;
  readonly openLimits: OpenLimits;
  readonly devices: Pick<Devices, "of">;
  readonly requireSecondFactor: SecondFactorRule;
  /** Strangers never crowd out who is signed in: each have a gate of their own. */
  readonly gates: Readonly<Record<PortalEndpoint["for"], HashingGate>>;
}

/** A request as the log is to have it; who sent it is found out on the way. */
interface Seen extends Access {
  readonly address: string;
  caller: Principal | null;
}

/** Requests a minute of one user that make or compare hashes. */
const HASHING_LIMIT = 20;

const isRefusal = (result: unknown): boolean => result instanceof Failure || result instanceof Problem;

/**
 * The way of an endpoint from request to response: session 401, rate limit 429, same origin 403, body 400, 413 or 415,
 * then the endpoint itself; for who is not signed in same origin comes before the limit, which is the address's. What
 * hashes passwords has limits of its own, and waits its turn. Answers are not kept by anybody, and only the path's pattern is logged, never a token in it.
 */
export const respondFrom = (endpoint: PortalEndpoint, parts: PortalParts): Endpoint => {
  const { clock, log, limiter, door, stopping } = parts;
  const { method, path } = endpoint;
  const logAccess = accessLog(parts, path, ({ address }: Seen) => address);
  const countRequest = parts.meter.of(path);

  const isOpenBefore = endpoint.for === "signed in" && endpoint.beforeSecondFactor === true;

  const own = async (call: Call, seen: Seen): Promise<OwnCall | Problem> => {
    const signedIn = await parts.signedIn(seen.request);
    const principal = signedIn === null ? null : callerOf(signedIn);
    seen.caller = principal;
    if (signedIn === null || principal === null) return SIGNED_OUT;
    if (!isOpenBefore && mustSetUpSecondFactor(parts.requireSecondFactor, signedIn)) return SECOND_FACTOR_REQUIRED;
    const { address, requestId } = call.client;
    return { ...call, signedIn, by: { ...principal, address, requestId } };
  };

  const take = async (subject: string, limit: number): Promise<Problem | null> => {
    const { admitted, retrySeconds } = await limiter.take(subject, limit);
    return admitted ? null : door.exhausted({ policy: "portal", limit }, retrySeconds);
  };

  const exhausted = async ({ by }: OwnCall): Promise<Problem | null> => {
    const { subject, limit } = door.budget(by);
    return take(subject, limit);
  };

  /** The client, if its address may ask, or its browser, which then stands for its own user only. */
  const admit = async (
    { limit, knowsDevices }: Extract<PortalEndpoint, { for: "anybody" }>,
    client: Client,
  ): Promise<Client | Problem> => {
    const exceeded = await parts.openLimits.take(limit, client.limitedAs);
    if (exceeded === null) return client;
    const device = knowsDevices ? await parts.devices.of(client) : null;
    if (device === null || (await parts.openLimits.takeOfDevice(limit, device.id)) !== null) return exceeded;
    return { ...client, waitSeconds: Number(exceeded.headers["retry-after"]) };
  };

  const answer = async (
    params: Call["params"],
    client: Client,
    seen: Seen,
  ): Promise<Outcome<PortalAnswer> | Problem> => {
    const { request } = seen;
    const foreign = crossOrigin(request, parts.publicUrl);
    const call: Call = { client, params, body: undefined };
    if (endpoint.for === "anybody") {
      if (foreign !== null) return foreign;
      const admitted = await admit(endpoint, client);
      if (admitted instanceof Problem) return admitted;
      const body = await bodyOf(request);
      if (body instanceof Problem) return body;
      const result = await inTurn(() => endpoint.handle({ ...call, client: admitted, body }));
      if (endpoint.knowsDevices && !isRefusal(result)) parts.openLimits.succeeded(endpoint.limit, client.limitedAs);
      return result;
    }
    const ownCall = await own(call, seen);
    if (ownCall instanceof Problem) return ownCall;
    const refused = await exhausted(ownCall);
    if (refused !== null) return refused;
    if (foreign !== null) {
      noteDenial(ownCall.by, foreign);
      return foreign;
    }
    const body = await bodyOf(request);
    // The session may have ended while the body was on its way, or while others had their turn.
    const answerPresent = (): Promise<Outcome<PortalAnswer> | Problem> =>
      whileWarranted(async (isFurther) => {
        const present = isFurther || endpoint.takesBody ? await own(call, seen) : ownCall;
        if (present instanceof Problem) return present;
        return body instanceof Problem ? body : endpoint.handle({ ...present, body });
      });
    const tooMany =
      endpoint.hashes && !(body instanceof Problem) ? await take(`hashing:${ownCall.by.userId}`, HASHING_LIMIT) : null;
    const result = tooMany ?? (await inTurn(answerPresent));
    if (result instanceof Failure && result.cause.kind === "email-taken")
      noteDenial(ownCall.by, problemOf(result, "account"));
    return result;
  };

  const inTurn = (work: () => Promise<Outcome<PortalAnswer> | Problem>): Promise<Outcome<PortalAnswer> | Problem> =>
    endpoint.hashes ? parts.gates[endpoint.for].run(work) : work();

  const noteDenial = (by: Principal, { code }: Problem): void =>
    parts.denials.note({
      by,
      dealerId: by.dealerId,
      operation: `${method} ${path}`,
      resource: "users",
      resourceId: by.userId,
      code,
      isChange: true,
    });

  const bodyOf = async (request: Request): Promise<unknown> =>
    endpoint.takesBody ? readJson(request, false) : undefined;

  const respond = async (incoming: Incoming): Promise<Response> => {
    const startedAt = performance.now();
    parts.meter.begin();
    const { request, peerOf } = incoming;
    const requestId = requestIdOf(request.headers.get("x-request-id"), parts.isSecret);
    const headers = { ...portalHeaders(requestId), ...parts.everyAnswers };
    parts.noticeForwarded(request);
    const address = addressOfRequest(request, peerOf, parts.trustedProxyHops);
    const client: Client = {
      cookies: request.headers.get("cookie"),
      address,
      limitedAs: limitedAddress(address),
      userAgent: request.headers.get("user-agent"),
      requestId,
      waitSeconds: null,
    };
    const seen: Seen = { request, startedAt, requestId, address, caller: null, refusedKeyId: null };
    let response: Response;
    try {
      const result = await answer(incoming.params, client, seen);
      if (result instanceof Problem) response = problemResponse(result, headers, clock);
      else if (result instanceof Failure) response = problemResponse(problemOf(result, "account"), headers, clock);
      else {
        response = jsonResponse(JSON.stringify(result.body), 200, headers);
        for (const cookie of result.cookies ?? []) response.headers.append("set-cookie", cookie);
      }
    } catch (error) {
      logFailure(log, path, requestId, error);
      response = problemResponse(unexpected(error, parts), headers, clock);
    }
    if (stopping.begun) sayGoodbye(response);
    logAccess(seen, response);
    countRequest(request.method, response.status, codeOf(response), (performance.now() - startedAt) / 1000);
    return response;
  };

  return { method, path, respond };
};
