import { admit } from "../../core/access/decide.ts";
import type { Principal } from "../../core/access/principal.ts";
import type { Admission, RateLimiter } from "../../core/access/rate-limits.ts";
import { whileWarranted } from "../../core/access/warrant.ts";
import { resourceOf } from "../../core/audit/audit-entry.ts";
import type { Denials } from "../../core/audit/denials.ts";
import type { Clock, Timestamp } from "../../core/clock.ts";
import { Failure, type Outcome } from "../../core/failure.ts";
import type { UsageMeter } from "../../core/keys/usage-repository.ts";
import { after, type Later } from "../../core/later.ts";
import { addressOfRequest } from "./addresses.ts";
import { withBytes } from "./answer-facts.ts";
import { readJson } from "./body.ts";
import { type Asking, callersOf, located } from "./caller.ts";
import { takeWithin } from "./dealer-budget.ts";
import type { Door } from "./door.ts";
import type { ForwardedNotice } from "./forwarded-notice.ts";
import { usageCounting } from "./key-usage.ts";
import { lateBody } from "./late-body.ts";
import type { LongAnswers, Reader } from "./long-answers.ts";
import { LongJson } from "./long-json.ts";
import { NOTHING_SENT, parameterReader } from "./parameters.ts";
import { type ErrorCode, invalidInput, Problem, problemOf } from "./problem.ts";
import { type FaultParts, problemResponse, sayGoodbye, unexpected } from "./problem-response.ts";
import { type IsSecret, requestIdOf } from "./request-id.ts";
import { accessLog, type Log, logFailure } from "./request-log.ts";
import type { RequestMeter } from "./request-meter.ts";
import { numberOf, searchOf } from "./request-path.ts";
import {
  addRateLimit,
  type Budget,
  type Headers,
  jsonResponse,
  notModified,
  type SharedHeaders,
} from "./response-headers.ts";
import { type Answer, JsonText, type Route } from "./route.ts";
import { isNamedBy, onlyVersionOf, tagOf, versionsOf } from "./versions.ts";

/** What every route's pipeline shares. */
export interface PipelineParts extends FaultParts {
  readonly limiter: RateLimiter;
  readonly longAnswers: LongAnswers;
  readonly usage: UsageMeter;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: RequestMeter;
  readonly trustedProxyHops: number;
  /** Looks at what proxies are named by; not at each read, which it would make dearer. */
  readonly noticeForwarded: ForwardedNotice;
  /** Hears of what callers were not allowed to do. */
  readonly denials: Pick<Denials, "note">;
  /** Finds keys that were sent as a request id. */
  readonly isSecret: IsSecret;
  /** Headers that every answer carries besides. */
  readonly everyAnswers: Headers;
  /** The deadline that is carried along with each request. */
  readonly errands: Errands;
  /** Set once the service was told to stop. Each answer is then the last one on its connection. */
  readonly stopping: { begun: boolean };
}

/** What is done for one request, until its time is over. */
interface Errand {
  /** Waits for what the client has still to send, which does not count. */
  whileSent<Value>(sent: Later<Value>): Later<Value>;
}

/** Has things done for requests in the time they have. */
interface Errands {
  errandOf(request: Request): Errand;
  /** Fails once the time for the request is over. */
  run<Result>(errand: Errand, work: () => Later<Result>): Later<Result>;
}

/** A request as the router hands it over. */
export interface Incoming {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** The address that the request's connection comes from. */
  readonly peerOf: (request: Request) => string | null;
}

const FORBIDDEN = 403;
/** It tells who has an account, with another dealer, too: whoever looks for that is seen. */
const CONFLICT = "email_taken";

const LONG_ANSWERS_PENDING = new Problem(
  "unavailable",
  "Long answers are sent one at a time: read those that are under way, then try again",
  { "retry-after": "1" },
);

/** What of a request is found out on its way. */
interface Exchange extends Incoming, Asking {
  readonly shared: SharedHeaders;
  /** The answer's own. */
  readonly headers: Headers;
  readonly startedAt: number;
  /** The client's; `null` until somebody asks for it. */
  address: string | null;
  /** Of the error it is answered with. */
  code: ErrorCode | null;
  /** Tags of the versions that the client has already, as it sent them. */
  knownTags: string | null;
  readonly errand: Errand;
  /** True once something was waited for. */
  isLate: boolean;
}

/** The client has this version already. */
class NotModified {
  constructor(readonly tag: string) {}
}

const success = (door: Door, exchange: Exchange, answer: Answer): Response => {
  const { headers, shared, isLate, knownTags } = exchange;
  if (answer.headers !== undefined) Object.assign(headers, answer.headers);
  if (headers.location !== undefined) headers.location = door.prefix + headers.location;
  if (answer.version !== undefined) {
    const tag = tagOf(answer.version.id, answer.version.updated_at);
    if (knownTags !== null && isNamedBy(knownTags, tag)) return notModified(tag, headers, shared);
    headers.etag = tag;
  }
  const { body } = answer;
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  if (!isLate) return jsonResponse(text, answer.status, headers, shared);
  return withBytes(jsonResponse(lateBody(text), answer.status, headers, shared), Buffer.byteLength(text));
};

/**
 * One route's way through one door, from request to response, everything that can be prepared done once. The order of
 * checks is the contract's: authentication 401, app type 400, rate limit 429, permission 403, input 400, 413 or 415, then the use
 * case, which decides existence 404 and binding 403. Answers at once when nothing on the way has to wait.
 */
export const pipelineOf = (
  route: Route,
  door: Door,
  parts: PipelineParts,
): ((incoming: Incoming) => Later<Response>) => {
  const { limiter, clock, log, trustedProxyHops, stopping } = parts;
  const isChange = route.method !== "GET";
  const readParams = parameterReader(route.params);
  const readQuery = parameterReader(route.query);
  const paramNames = Object.keys(route.params.properties);
  const queryNames = new Set(Object.keys(route.query.properties));
  const isVersioned = route.traits?.includes("versioned") ?? false;
  const path = door.prefix + route.path;
  const addressOf = (exchange: Exchange): string => {
    exchange.address ??= addressOfRequest(exchange.request, exchange.peerOf, trustedProxyHops);
    return exchange.address;
  };
  const logAccess = accessLog(parts, path, addressOf);
  const countRequest = parts.meter.of(path);
  const callers = callersOf(door, route.operation, isChange, addressOf);
  const countUsage = usageCounting(parts.usage, path, addressOf);

  type Result = Outcome<Answer> | NotModified | Problem;

  const authenticated = (exchange: Exchange): Later<Result> =>
    after(callers.known(exchange), (caller) => {
      if (caller instanceof Problem) return caller;
      const budget = door.budget(exchange.identified ?? caller);
      return after(limiter.take(budget.subject, budget.limit), (own): Later<Result> => {
        if (budget.within === null || !own.admitted) return admitted(exchange, caller, budget, own);
        return after(takeWithin(limiter, budget, own, budget.within), ({ budget: tighter, admission }) =>
          admitted(exchange, caller, tighter, admission),
        );
      });
    });

  const admitted = (exchange: Exchange, principal: Principal, budget: Budget, admission: Admission): Later<Result> => {
    const { request, params, headers } = exchange;
    addRateLimit(headers, budget, admission);
    const objection = door.objection(principal, request);
    if (objection !== null) return objection;
    if (!admission.admitted) return door.exhausted(budget, admission.retrySeconds);
    const refused = admit(principal, route.operation);
    if (refused !== null) return refused;

    const sentPath = readParams(paramNames.map((name) => [name, params[name] ?? ""]));
    const search = queryNames.size > 0 ? searchOf(request.url, queryNames) : NOTHING_SENT;
    const query = readQuery(search);
    if (sentPath.issues !== null || query.issues !== null)
      return invalidInput([...(sentPath.issues ?? []), ...(query.issues ?? [])]);
    const handle = (caller: Principal, body: unknown): Later<Result> =>
      body instanceof Problem
        ? body
        : route.handle({
            principal: caller,
            params: sentPath.values,
            query: query.values,
            body,
            search,
            url: request.url,
            versions: isVersioned && isChange ? versionsOf(Number(params.id), request.headers.get("if-match")) : null,
          });
    if (route.body !== undefined)
      // A body may take its time: whoever asked for the change has perhaps lost the right to it meanwhile.
      return after(exchange.errand.whileSent(readJson(request, route.body.optional ?? false)), (body) =>
        whileWarranted(() => callers.present(exchange, (caller) => handle(caller, body))),
      );
    if (isChange)
      return whileWarranted((isFurther) =>
        isFurther ? callers.present(exchange, (caller) => handle(caller, undefined)) : handle(principal, undefined),
      );
    if (isVersioned) exchange.knownTags = request.headers.get("if-none-match");
    const version = knownVersion(exchange);
    if (version === null) return handle(principal, undefined);
    return after(
      route.isVersion?.(principal, sentPath.values, version) ?? false,
      (isKnown): Later<Result> =>
        isKnown ? new NotModified(tagOf(Number(params.id), version)) : handle(principal, undefined),
    );
  };

  /** The version of the record that the client has already; `null` where that has to be found out the long way. */
  const knownVersion = ({ params, knownTags }: Exchange): Timestamp | null =>
    route.isVersion === undefined || knownTags === null ? null : onlyVersionOf(Number(params.id), knownTags);

  const finished = (exchange: Exchange, response: Response): Response => {
    if (stopping.begun) sayGoodbye(response);
    logAccess(exchange, response);
    const { request, startedAt } = exchange;
    countRequest(request.method, response.status, exchange.code, (performance.now() - startedAt) / 1000);
    countUsage(exchange, response.status);
    return response;
  };

  const refusal = (exchange: Exchange, problem: Problem): Response => {
    const { caller, params, headers, shared } = exchange;
    exchange.code = problem.code;
    if ((problem.status === FORBIDDEN || problem.code === CONFLICT) && caller !== null)
      parts.denials.note({
        by: located(caller, exchange, addressOf(exchange)),
        dealerId: caller.dealerId,
        operation: route.operation,
        resource: resourceOf(route.operation),
        resourceId: numberOf(params.image_id ?? params.id),
        code: problem.code,
        isChange,
      });
    return finished(exchange, problemResponse(problem, headers, clock, shared));
  };

  /** A body that is made while it is sent, when its turn has come; for HEAD none is made. */
  const sent = async (exchange: Exchange, principal: Principal, answer: Answer, body: LongJson): Promise<Response> => {
    const { request, headers, shared, requestId } = exchange;
    try {
      const { subject } = door.budget(exchange.identified ?? principal);
      const { dealerId } = principal;
      const reader: Reader = {
        subject,
        group: dealerId === null ? null : `dealer:${dealerId}`,
        mayGoOn: () => callers.isUnchanged(exchange, principal),
      };
      const stream =
        request.method === "HEAD"
          ? new ReadableStream()
          : await parts.longAnswers.begin(reader, body, request.signal, (error) =>
              logFailure(log, path, requestId, error),
            );
      if (stream === null) return refusal(exchange, LONG_ANSWERS_PENDING);
      return finished(exchange, jsonResponse(stream, answer.status, { ...headers, ...answer.headers }, shared));
    } catch (error) {
      return failed(exchange, error);
    }
  };

  const answered = (exchange: Exchange, result: Result): Later<Response> => {
    if (result instanceof Failure) return refusal(exchange, problemOf(result, door.speech));
    if (result instanceof Problem) return refusal(exchange, result);
    if (result instanceof NotModified)
      return finished(exchange, notModified(result.tag, exchange.headers, exchange.shared));
    const { caller } = exchange;
    if (result.body instanceof LongJson && caller !== null) return sent(exchange, caller, result, result.body);
    return finished(exchange, success(door, exchange, result));
  };

  const failed = (exchange: Exchange, error: unknown): Response => {
    logFailure(log, path, exchange.requestId, error);
    return refusal(exchange, unexpected(error, parts));
  };

  return ({ request, params, peerOf }) => {
    if (isChange) parts.noticeForwarded(request);
    const requestId = requestIdOf(request.headers.get("x-request-id"), parts.isSecret);
    const startedAt = performance.now();
    parts.meter.begin();
    const exchange: Exchange = {
      request,
      params,
      peerOf,
      shared: door.shared(request),
      headers: { "x-request-id": requestId },
      requestId,
      startedAt,
      errand: parts.errands.errandOf(request),
      caller: null,
      identified: null,
      refusedKeyId: null,
      refusal: null,
      address: null,
      code: null,
      knownTags: null,
      isLate: false,
    };
    try {
      const result = parts.errands.run(exchange.errand, () => authenticated(exchange));
      if (!(result instanceof Promise)) return answered(exchange, result);
      exchange.isLate = true;
      return result.then((late) => answered(exchange, late)).catch((error) => failed(exchange, error));
    } catch (error) {
      return failed(exchange, error);
    }
  };
};
