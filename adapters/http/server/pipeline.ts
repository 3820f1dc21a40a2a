import { resourceOf } from "../../../core/audit/audit-entry.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { idIn } from "../protocol/request-path.ts";
import type { Route } from "../protocol/route.ts";
import { identify, withoutUse } from "./caller.ts";
import type { EntryPoint } from "./entry-point.ts";
import { Exchange, type Incoming, runSteps, type Step } from "./exchange.ts";
import type { PipelineParts } from "./parts.ts";
import { presenter, type Target } from "./present.ts";
import { once, recordRouteOf } from "./repeats.ts";
import { beginTrace } from "./request-tracer.ts";
import {
  answerKnownList,
  answerKnownVersion,
  authorize,
  change,
  checkHeaders,
  countRequest,
  handle,
  prepareBody,
  readBody,
  readBodyOrPhoto,
  readParameters,
  receiveFile,
  refuseBadBody,
  refuseOverLimit,
} from "./steps.ts";

/** Answers a request. It is synchronous if no step has to wait. */
export type Respond = (incoming: Incoming) => MaybePromise<Response>;

/** The steps for requests with one target. */
interface Pipeline<Of extends Exchange> extends Target {
  readonly entryPoint: EntryPoint;
  readonly begin: (incoming: Incoming) => Of;
  readonly steps: readonly Step<Of>[];
}

/** Runs each request through the steps within its time limit, and converts the result or the error into a response. */
export const respondThrough = <Of extends Exchange>(pipeline: Pipeline<Of>, parts: PipelineParts): Respond => {
  const { begin, steps, isChange, entryPoint } = pipeline;
  const { present, fail } = presenter(pipeline, entryPoint, parts);
  const respond = (exchange: Of): MaybePromise<Response> => {
    try {
      const result = parts.deadlines.run(exchange.deadline, () => runSteps(steps, exchange));
      const hasWaited = result instanceof Promise;
      const response = andThen(result, (known) => present(exchange, known, hasWaited));
      return response instanceof Promise ? response.catch((error) => fail(exchange, error)) : response;
    } catch (error) {
      return fail(exchange, error);
    }
  };
  return (incoming) => {
    if (isChange) parts.warnOfProxy(incoming.request);
    parts.meter.begin();
    const exchange = begin(incoming);
    if (parts.tracer === null) return respond(exchange);
    exchange.trace = beginTrace(parts.tracer, incoming.request, pipeline.pattern);
    return exchange.trace === null ? respond(exchange) : exchange.trace.run(() => respond(exchange));
  };
};

/** The step of a use case, followed as a step of its request where traces are recorded. */
const followed = (operation: string, step: Step, { tracer }: Pick<PipelineParts, "tracer">): Step =>
  tracer === null ? step : (exchange) => tracer.useCase(operation, () => step(exchange));

/**
 * The steps for requests to a route through one entry point. The list is the order of checks (interface 4). Unknown
 * paths and methods are answered by the router.
 */
export const pipelineOf = (
  route: Route,
  { entryPoint, routes }: { readonly entryPoint: EntryPoint; readonly routes: readonly Route[] },
  parts: PipelineParts,
): Respond => {
  const { operation, method, body, file, photo, prepare } = route;
  const { audience, prefix } = entryPoint;
  const isChange = method !== "GET";
  const isWaiting = route.traits?.includes("waiting") ?? false;
  // A page opens its stream again by itself, after a pause of the network or when there are too many.
  const isStream = route.traits?.includes("stream") ?? false;
  const identifyCaller = identify(isStream ? withoutUse(entryPoint) : entryPoint, isChange);
  const authorizeCaller = authorize(operation, audience);
  const { repeats } = parts;
  const handleNow = followed(operation, handle(route, entryPoint), parts);
  const useCase = isChange
    ? once(route, { entryPoint, repeats, recordRoute: recordRouteOf(route, routes) }, handleNow)
    : handleNow;
  return respondThrough(
    {
      pattern: prefix + route.path,
      isChange,
      entryPoint,
      denied: ({ params }) => ({
        operation,
        resource: resourceOf(operation),
        resourceId: idIn(params.image_id ?? params.id),
      }),
      begin: (incoming) => new Exchange(incoming, parts),
      steps: [
        identifyCaller, // 401
        countRequest(entryPoint, parts),
        checkHeaders(entryPoint), // 400 for the app type; at the portal 403 for another site's page
        refuseOverLimit, // 429
        authorizeCaller, // 403
        readParameters(route, entryPoint), // 400
        ...(body === undefined
          ? []
          : [photo === undefined ? readBody(body) : readBodyOrPhoto(body, photo, { audience, parts })]),
        ...(prepare === undefined ? [] : [prepareBody(prepare, audience, repeats)]),
        ...(file === undefined ? [] : [receiveFile(file, audience, parts)]),
        ...answerKnownVersion(route), // 304
        ...answerKnownList(route, entryPoint), // 304
        isChange || isWaiting
          ? change(body !== undefined || file !== undefined, [identifyCaller, authorizeCaller, refuseBadBody], useCase) // 400, 413, 415
          : useCase, // 404, 403, 409, 412
      ],
    },
    parts,
  );
};
