import type { Principal } from "../../../core/access/principal.ts";
import type { DeniedOperation } from "../../../core/audit/denials.ts";
import type { Clock } from "../../../core/clock.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { pairsOfSet } from "../../../core/permissions.ts";
import { accepts } from "../protocol/accept.ts";
import { limitedAddress } from "../protocol/addresses.ts";
import { matchesTag, tagOf } from "../protocol/etag.ts";
import { EVENT_STREAM_HEADERS, EventBody } from "../protocol/event-stream.ts";
import { gzipped } from "../protocol/gzipped.ts";
import { jsonResponse, notModified } from "../protocol/headers.ts";
import { listHeadersOf } from "../protocol/list-tag.ts";
import { ReadingEnded } from "../protocol/long-answers.ts";
import { ExportBody, LongBody } from "../protocol/long-body.ts";
import { bodyInOnePiece } from "../protocol/one-piece-body.ts";
import { Problem } from "../protocol/problem.ts";
import { problemOfError, problemResponse } from "../protocol/problem-response.ts";
import { withBytes } from "../protocol/response-facts.ts";
import { type Answer, JsonText, StampedJson } from "../protocol/route.ts";
import { mayGoOn, withOrigin } from "./caller.ts";
import type { EntryPoint } from "./entry-point.ts";
import type { Exchange, Result } from "./exchange.ts";
import { requestFinisher } from "./finish.ts";
import type { PipelineParts } from "./parts.ts";
import { logFailure } from "./request-log.ts";

/** The target of a request, as the log and the audit log name it. */
export interface Target {
  /** The pattern of the path. */
  readonly pattern: string;
  readonly isChange: boolean;
  /** The operation that a caller was denied, and the record that it concerned. */
  readonly denied: (exchange: Exchange) => Pick<DeniedOperation, "operation" | "resource" | "resourceId">;
}

const FORBIDDEN = 403;
/** This error reveals who has an account, even at other dealers. So an attempt to find out leaves an audit entry. */
const EMAIL_TAKEN = "email_taken";

const LONG_ANSWERS_PENDING = new Problem(
  "unavailable",
  "Long answers are sent one at a time: read those that are under way, then try again",
  { headers: { "retry-after": "1" } },
);

const TOO_MANY_STREAMS = new Problem(
  "rate_limit_exceeded",
  "The key has 5 streams open, its dealer 300, or all together 500: close one first",
  { headers: { "retry-after": "5" } },
);

/** A stream without anything. It must be closed, as otherwise the client waits for its end. */
const noStream = (): ReadableStream<Uint8Array> => new ReadableStream({ start: (controller) => controller.close() });

/** Those who share places with a caller: the keys and users of its dealer. `null` for a caller of no dealer. */
const groupOf = ({ dealerId }: Principal): string | null => (dealerId === null ? null : `dealer:${dealerId}`);

/** The JSON text of a body that is answered now. */
const textOf = (body: unknown, clock: Clock): string => {
  if (body instanceof JsonText) return body.text;
  return body instanceof StampedJson ? body.at(clock.now()) : JSON.stringify(body);
};

/** Converts results into responses, and records them in the log, the metrics and the audit log. */
export const presenter = (target: Target, entryPoint: EntryPoint, parts: PipelineParts) => {
  const { pattern, isChange } = target;
  const finish = requestFinisher(parts, pattern);

  const succeed = (exchange: Exchange, answer: Answer, hasWaited: boolean): Response => {
    const { headers, request } = exchange;
    const shared = entryPoint.sharedHeaders(request);
    if (exchange.listTag !== null) {
      Object.assign(headers, listHeadersOf(exchange.listTag));
      const known = request.headers.get("if-none-match");
      if (known !== null && matchesTag(known, exchange.listTag))
        return notModified(`W/${exchange.listTag}`, headers, shared);
    }
    if (answer.headers !== undefined) Object.assign(headers, answer.headers);
    if (headers.location !== undefined) headers.location = entryPoint.prefix + headers.location;
    if (answer.version !== undefined) {
      const tag = tagOf(answer.version.id, answer.version.updated_at, answer.version.variant);
      const known = isChange ? null : request.headers.get("if-none-match");
      if (known !== null && matchesTag(known, tag)) return notModified(tag, headers, shared);
      headers.etag = tag;
    }
    const { body } = answer;
    const text = textOf(body, parts.clock);
    const init = { status: answer.status, headers: shared };
    const response = hasWaited
      ? withBytes(jsonResponse(bodyInOnePiece(text), init, headers), Buffer.byteLength(text))
      : jsonResponse(text, init, headers);
    if (answer.cookies !== undefined)
      for (const cookie of answer.cookies) response.headers.append("set-cookie", cookie);
    return response;
  };

  const refuse = (exchange: Exchange, problem: Problem): Response => {
    const { headers, request } = exchange;
    const caller = exchange.caller ?? exchange.outside;
    if (caller !== null && (problem.status === FORBIDDEN || problem.code === EMAIL_TAKEN))
      parts.denials.record({
        by: withOrigin(caller, exchange),
        dealerId: caller.dealerId,
        ...target.denied(exchange),
        code: problem.code,
        isChange,
      });
    const rights =
      exchange.caller !== null && problem.status === FORBIDDEN && entryPoint.audience === "key"
        ? { has: pairsOfSet(exchange.caller.permissions), bound_dealer_id: exchange.caller.dealerId }
        : undefined;
    const shared = entryPoint.sharedHeaders(request);
    return problemResponse(problem, { headers, clock: parts.clock, shared, rights });
  };

  /**
   * Responds with a body that is generated while it is sent, when its turn comes. For HEAD requests, none is generated.
   */
  const stream = async (exchange: Exchange, answer: Answer, body: LongBody): Promise<Response> => {
    const { request, requestId, headers, principal } = exchange;
    const { subject } = entryPoint.budget(exchange.identified ?? principal, () => limitedAddress(exchange.address));
    const reader = {
      subject,
      group: groupOf(principal),
      mayGoOn: () => mayGoOn(entryPoint, exchange, principal),
    };
    const isExport = body instanceof ExportBody;
    const ownForm = body.form;
    const compress = isExport && ownForm === null && accepts(request.headers.get("accept-encoding"), ["gzip", "*"]);
    const form = ownForm ?? (compress ? gzipped : null);
    const pieces =
      request.method === "HEAD"
        ? noStream()
        : await (isExport ? parts.exports : parts.longAnswers).begin({
            reader,
            body,
            ...(form !== null && { form }),
            gone: request.signal,
            failed: (error) =>
              logFailure(parts.log, {
                route: pattern,
                requestId,
                error,
                level: error instanceof ReadingEnded ? "info" : "error",
              }),
          });
    if (pieces === null) return refuse(exchange, LONG_ANSWERS_PENDING);
    const init = { status: answer.status, headers: entryPoint.sharedHeaders(request) };
    const response = jsonResponse(pieces, init, { ...headers, ...answer.headers });
    if (exchange.listTag !== null)
      for (const [name, value] of Object.entries(listHeadersOf(exchange.listTag))) response.headers.set(name, value);
    if (isExport && ownForm === null) response.headers.append("vary", "Accept-Encoding");
    if (compress) response.headers.set("content-encoding", "gzip");
    return response;
  };

  /** Responds with events until the client goes away. A HEAD request gets none. */
  const sendEvents = (exchange: Exchange, { status }: Answer, body: EventBody): Response => {
    const { request, requestId, headers, principal } = exchange;
    const { subject } = entryPoint.budget(exchange.identified ?? principal, () => limitedAddress(exchange.address));
    const events =
      request.method === "HEAD"
        ? noStream()
        : parts.eventStreams.begin({
            subject,
            group: groupOf(principal),
            body,
            gone: request.signal,
            failed: (error) => logFailure(parts.log, { route: pattern, requestId, error }),
            withoutDeadline: parts.deadlines.withoutDeadline,
          });
    if (events === null) return refuse(exchange, TOO_MANY_STREAMS);
    const init = { status, headers: entryPoint.sharedHeaders(request) };
    return jsonResponse(events, init, { ...headers, ...EVENT_STREAM_HEADERS });
  };

  return {
    /** The response for a result. `hasWaited` says that the request had to wait for something. */
    present(exchange: Exchange, result: Result, hasWaited: boolean): MaybePromise<Response> {
      if (result instanceof Problem) return finish(exchange, refuse(exchange, result));
      if (result.body instanceof LongBody)
        return stream(exchange, result, result.body).then((response) => finish(exchange, response));
      if (result.body instanceof EventBody) return finish(exchange, sendEvents(exchange, result, result.body));
      return finish(exchange, succeed(exchange, result, hasWaited));
    },

    /** The response for an unexpected error. The error is logged; the client learns nothing internal. */
    fail(exchange: Exchange, error: unknown): Response {
      logFailure(parts.log, { route: pattern, requestId: exchange.requestId, error });
      // A read makes no change that the client asked for, even if it records something, such as the last use of a
      // session.
      const mayHaveChanged = isChange && (exchange.deadline.hasChanged || parts.isOutcomeUnknown(error));
      return finish(exchange, refuse(exchange, problemOfError(error, parts, mayHaveChanged)));
    },
  };
};
