import { admit } from "../../../core/access/decide.ts";
import type { Principal } from "../../../core/access/principal.ts";
import { Failure } from "../../../core/failure.ts";
import type { Upload } from "../../../core/imports/reception.ts";
import type { FoundAnswer, KeptAnswer, NamedRequest } from "../../../core/repeats/kept-answer.ts";
import type { Repeats } from "../../../core/repeats/repeats.ts";
import { fingerprintOf } from "../protocol/idempotency-key.ts";
import { LongBody } from "../protocol/long-body.ts";
import { NO_PARAMETERS } from "../protocol/parameters.ts";
import { Problem, problemOf } from "../protocol/problem.ts";
import { pathOf } from "../protocol/request-path.ts";
import { type Answer, JsonText, type Route } from "../protocol/route.ts";
import { withoutSecrets } from "../protocol/without-secrets.ts";
import { mayGoOn } from "./caller.ts";
import type { EntryPoint } from "./entry-point.ts";
import type { Exchange, Result, Step } from "./exchange.ts";

/** The longest body that is kept, in bytes. The record of a longer one is read anew. */
const MAX_BODY_BYTES = 64 * 1024;
/** About what an answer takes beside its body, with its places in the indexes. */
const ROW_BYTES = 1024;

const EXPIRED = new Problem(
  "idempotency_in_progress",
  "The first answer to this Idempotency-Key expires right now; send the request again",
  { headers: { "retry-after": "1" } },
);

const bindingOf = ({ dealerId, role }: Principal): string => `${dealerId ?? ""} ${role ?? ""}`;

/** The request as its caller named it. */
const namedRequest = ({ principal, request }: Exchange, name: string): NamedRequest | null =>
  principal.keyId === null
    ? null
    : {
        keyId: principal.keyId,
        binding: bindingOf(principal),
        method: request.method,
        path: pathOf(request.url),
        name,
        holder: principal.dealerId === null ? `key ${principal.keyId}` : `dealer ${principal.dealerId}`,
      };

/** The route that reads the record which this one answers; `null` if it answers none. */
export const recordRouteOf = ({ method, path }: Route, routes: readonly Route[]): Route | null => {
  const wanted = method === "PUT" ? path : `${path}/:id`;
  return routes.find((other) => other.method === "GET" && other.path === wanted) ?? null;
};

/** What is kept of an answer. */
const keptOf = (
  answer: Answer,
  {
    fingerprint,
    route,
    canReadAnew,
  }: { readonly fingerprint: string; readonly route: Route; readonly canReadAnew: boolean },
): KeptAnswer => {
  if (answer.body instanceof LongBody) throw new Error("a change answers its result, and no long list");
  const isSecret = answer.headers?.["cache-control"] === "no-store";
  if (isSecret && route.secrets === undefined) throw new Error(`${route.name} does not say which fields are secret`);
  const body = isSecret ? withoutSecrets(answer.body, route.secrets ?? []) : answer.body;
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  const isTooLong = canReadAnew && bytes > MAX_BODY_BYTES;
  return {
    fingerprint,
    status: answer.status,
    headers: answer.headers ?? {},
    version: answer.version ?? null,
    body: isTooLong ? null : text,
    bytes: (isTooLong ? 0 : bytes) + ROW_BYTES,
  };
};

/** Notes what was sent, once all of the file was read. */
export const noteFile = (exchange: Exchange, upload: Upload): void => {
  exchange.fingerprint = fingerprintOf(exchange.request, upload.sent().sha256);
};

/** Reads all of a file, whose import was made before, to see whether it is the same. */
export const readForFingerprint = async (exchange: Exchange, upload: Upload): Promise<void> => {
  for await (const _ of upload.pieces);
  noteFile(exchange, upload);
};

/** True if the request was answered before, so that its file need not be received once more. */
export const wasAnswered = async (exchange: Exchange, repeats: Repeats): Promise<boolean> => {
  const { idempotencyKey } = exchange;
  const request = idempotencyKey === null ? null : namedRequest(exchange, idempotencyKey);
  return request !== null && repeats.isKept(request);
};

/**
 * Runs a use case once for all requests of a caller with the same `Idempotency-Key`. The others get the answer of the
 * first.
 */
export const once = (
  route: Route,
  {
    entryPoint,
    repeats,
    recordRoute,
  }: {
    readonly entryPoint: EntryPoint;
    readonly repeats: Repeats;
    readonly recordRoute: Route | null;
  },
  handleNow: Step,
): Step => {
  /** The body of an answer that was too long to be kept. */
  const readAnew = async (exchange: Exchange, { headers }: FoundAnswer): Promise<Answer | Problem> => {
    const { principal, request, input } = exchange;
    const id = Number((headers.location ?? pathOf(request.url)).split("/").at(-1));
    const outcome = await recordRoute?.handle({
      principal,
      params: { ...input.params, id },
      query: {},
      search: NO_PARAMETERS,
      body: undefined,
      url: request.url,
      versions: null,
      mayGoOn: () => mayGoOn(entryPoint, exchange, principal),
      arrival: exchange,
      waiting: exchange,
    });
    if (outcome === undefined) throw new Error(`the answer of ${route.name} was not kept, and cannot be read`);
    return outcome instanceof Failure ? problemOf(outcome, entryPoint.audience) : outcome;
  };

  const replay = async (exchange: Exchange, kept: FoundAnswer): Promise<Result> => {
    // A permission that the use case asks for may have been lost since.
    const alsoNeeds = route.alsoNeeds?.(exchange.body) ?? null;
    const refused = alsoNeeds === null ? null : admit(exchange.principal, alsoNeeds);
    if (refused !== null) return problemOf(refused, entryPoint.audience);
    const record = kept.body === null ? await readAnew(exchange, kept) : { body: new JsonText(kept.body) };
    if (record instanceof Problem) return record;
    return {
      status: kept.status as Answer["status"],
      body: record.body,
      headers: { ...kept.headers, "idempotency-replayed": "true" },
      ...(kept.version !== null && { version: kept.version }),
    };
  };

  return (exchange) => {
    const { idempotencyKey } = exchange;
    const request = idempotencyKey === null ? null : namedRequest(exchange, idempotencyKey);
    if (request === null) return handleNow(exchange);
    const fingerprint = exchange.fingerprint ?? fingerprintOf(exchange.request, "");
    const run = async (): Promise<Result> => {
      // Its file was only read to be compared, as an answer was there, which has expired meanwhile.
      if (route.file !== undefined && exchange.body === undefined) return EXPIRED;
      const result = await handleNow(exchange);
      if (result === undefined) throw new Error("no step answered the request");
      return result;
    };
    return repeats
      .once<Result>({
        request,
        fingerprint,
        work: run,
        keptOf: (result) =>
          result instanceof Problem ? null : keptOf(result, { fingerprint, route, canReadAnew: recordRoute !== null }),
      })
      .then((done) => {
        if (done instanceof Failure) return problemOf(done, entryPoint.audience);
        return "result" in done ? done.result : replay(exchange, done.kept);
      });
  };
};
