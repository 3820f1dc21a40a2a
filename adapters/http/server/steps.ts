import { whileAuthorized } from "../../../core/access/authorization.ts";
import { admit } from "../../../core/access/decide.ts";
import type { Operation } from "../../../core/access/policy.ts";
import type { SteadyClock } from "../../../core/clock.ts";
import { Failure, type Outcome } from "../../../core/failure.ts";
import type { Upload } from "../../../core/imports/reception.ts";
import { andThen } from "../../../core/maybe-promise.ts";
import type { Repeats } from "../../../core/repeats/repeats.ts";
import { limitedAddress } from "../protocol/addresses.ts";
import { readJson } from "../protocol/body.ts";
import { BrokenUpload } from "../protocol/broken-upload.ts";
import { matchesTag, onlyVersionOf, versionsOf } from "../protocol/etag.ts";
import { addExpiry, addRateLimit } from "../protocol/headers.ts";
import { digestOf, fingerprintOf, idempotencyIssues, idempotencyKeyOf } from "../protocol/idempotency-key.ts";
import { addressOf, listTags } from "../protocol/list-tag.ts";
import { NO_PARAMETERS, parameterReader, sentNamesOf } from "../protocol/parameters.ts";
import { arrivingPhoto, bringsPhoto } from "../protocol/photo-body.ts";
import { type Audience, invalidInput, Problem, problemOf } from "../protocol/problem.ts";
import { malformedNames, searchOf } from "../protocol/request-path.ts";
import { type Answer, ok, type Route } from "../protocol/route.ts";
import { requestUpload } from "../protocol/upload.ts";
import { mayGoOn } from "./caller.ts";
import { takeAll } from "./dealer-budget.ts";
import type { EntryPoint } from "./entry-point.ts";
import { type Exchange, type Result, runSteps, type Step } from "./exchange.ts";
import type { PipelineParts } from "./parts.ts";
import { noteFile, readForFingerprint, wasAnswered } from "./repeats.ts";

/** Converts the outcome of a use case into a result. */
export const resultOf = (outcome: Outcome<Answer> | Problem, audience: Audience): Result =>
  outcome instanceof Failure ? problemOf(outcome, audience) : outcome;

/**
 * Counts a request of a known caller, whatever its outcome will be. If it is over the limit, `refuseOverLimit` refuses
 * it.
 */
export const countRequest =
  (entryPoint: EntryPoint, { limiter, clock }: Pick<PipelineParts, "limiter" | "clock">): Step =>
  (exchange) => {
    const caller = exchange.identified ?? exchange.principal;
    if (caller.expiresAt !== undefined) addExpiry(exchange.headers, clock.secondsUntil(caller.expiresAt));
    const budget = entryPoint.budget(caller, () => limitedAddress(exchange.address));
    // The keys of a dealer share their turns at the database, however many there are.
    exchange.deadline.caller =
      caller.dealerId === null ? budget.subject : `dealer:${caller.dealerId} ${budget.subject}`;
    const counted = takeAll(limiter, budget);
    return andThen(counted, (tightest) => {
      const { budget: ofTightest, admission } = tightest;
      exchange.counted = tightest;
      addRateLimit(exchange.headers, ofTightest, admission);
      if (!admission.admitted) exchange.overLimit = entryPoint.overLimitProblem(ofTightest, admission.retrySeconds);
      return undefined;
    });
  };

/** Refuses a request with an app type other than that of the key, or from a page of another site. */
export const checkHeaders =
  (entryPoint: EntryPoint): Step =>
  ({ principal, request }) =>
    entryPoint.checkHeaders(principal, request) ?? undefined;

/** Refuses a request over the caller's limit. */
export const refuseOverLimit: Step = ({ overLimit }) => overLimit ?? undefined;

/**
 * Refuses a caller that lacks the operation's permission, or that is bound to a dealer and may never perform the
 * operation.
 */
export const authorize =
  (operation: Operation, audience: Audience): Step =>
  ({ principal }) => {
    const refused = admit(principal, operation);
    return refused === null ? undefined : problemOf(refused, audience);
  };

/**
 * Reads the parameters of the path and the query. An error lists all bad ones. The API refuses unknown ones; pages of
 * the portal may come with more.
 */
export const readParameters = (route: Route, { audience }: Pick<EntryPoint, "audience">): Step => {
  const mayBeNamed = route.method !== "GET" && audience === "key";
  const readPath = parameterReader(route.params, "ignored");
  const readQuery = parameterReader(route.query, audience === "key" ? "refused" : "ignored");
  const pathNames = Object.keys(route.params.properties);
  const queryNames = sentNamesOf(route.query);
  return (exchange) => {
    const sent = searchOf(exchange.request.url);
    const path = readPath(pathNames.map((name) => [name, exchange.params[name] ?? ""]));
    const query = readQuery(sent, sent === NO_PARAMETERS ? null : malformedNames(exchange.request.url));
    if (mayBeNamed) exchange.idempotencyKey = idempotencyKeyOf(exchange.request);
    const issues = idempotencyIssues(exchange.idempotencyKey);
    if (path.issues !== null || query.issues !== null || issues.length > 0)
      return invalidInput([...(path.issues ?? []), ...(query.issues ?? []), ...issues]);
    // Links to other pages repeat the known ones only.
    const search = sent === NO_PARAMETERS ? sent : sent.filter(([name]) => queryNames.has(name));
    exchange.input = { params: path.values, query: query.values, search };
    return undefined;
  };
};

/** Reads the body, however long the client takes to send it. If it is bad, `refuseBadBody` refuses it. */
export const readBody =
  (rules: Parameters<typeof readJson>[1]): Step =>
  (exchange) => {
    const { request, idempotencyKey } = exchange;
    const note = (bytes: ArrayBuffer | Uint8Array): void => {
      exchange.fingerprint = fingerprintOf(request, bytes);
    };
    const read = readJson(request, idempotencyKey === null ? rules : { ...rules, note });
    return andThen(exchange.deadline.waitForClient(read), (body) => {
      exchange.body = body;
      return undefined;
    });
  };

/**
 * Receives a file while it is sent. The time that the client takes does not count for the request. If the file is bad,
 * `refuseBadBody` refuses it.
 */
export const receiveFile = (
  { receive }: NonNullable<Route["file"]>,
  audience: Audience,
  { clock, repeats }: { readonly clock: SteadyClock; readonly repeats: Repeats },
): Step => {
  const received = async (exchange: Exchange): Promise<unknown> => {
    const { request, principal, input, idempotencyKey } = exchange;
    try {
      const openUpload = requestUpload(request, clock);
      if (openUpload instanceof Problem) return openUpload;
      let problem: Problem | null = null;
      let arriving: Upload | null = null;
      const upload = {
        gone: new Promise<void>((resolve) => {
          if (request.signal.aborted) resolve();
          else request.signal.addEventListener("abort", () => resolve());
        }),
        async open(): Promise<Upload | null> {
          const opened = await openUpload();
          problem = opened instanceof Problem ? opened : null;
          arriving = opened instanceof Problem ? null : opened;
          return arriving;
        },
      };
      if (idempotencyKey !== null && (await wasAnswered(exchange, repeats))) {
        const again = await upload.open();
        if (again === null) return problem;
        await readForFingerprint(exchange, again);
        return undefined;
      }
      const received = await receive({ principal, query: input.query, upload });
      const sent: Upload | null = arriving;
      if (idempotencyKey !== null && sent !== null && !(received instanceof Failure)) noteFile(exchange, sent);
      return received instanceof Failure ? problemOf(received, audience) : (received ?? problem);
    } catch (error) {
      if (error instanceof BrokenUpload) return new Problem(error.code, error.message);
      throw error;
    }
  };
  return (exchange) =>
    andThen(exchange.deadline.waitForClient(received(exchange)), (body) => {
      exchange.body = body;
      return undefined;
    });
};

/** Reads the body as `readBody` does, unless it is a photo. A photo is received as `receiveFile` receives a file. */
export const readBodyOrPhoto = (
  rules: Parameters<typeof readJson>[1],
  { receive }: NonNullable<Route["photo"]>,
  {
    audience,
    parts,
  }: { readonly audience: Audience; readonly parts: { readonly clock: SteadyClock; readonly repeats: Repeats } },
): Step => {
  const readJsonBody = readBody(rules);
  const received = async (exchange: Exchange): Promise<unknown> => {
    const { request, principal, input, idempotencyKey } = exchange;
    let problem: Problem | null = null;
    const photo = arrivingPhoto(request, parts.clock, {
      refuse: (refused) => {
        problem = refused;
      },
      waitFor: (seconds) => exchange.waitFor(seconds),
      note: ({ bytes, fields }) => {
        // Not the form itself: its boundary is another one each time.
        if (idempotencyKey !== null)
          exchange.fingerprint = fingerprintOf(request, digestOf(JSON.stringify(fields), bytes));
      },
    });
    const isRepeated = idempotencyKey !== null && (await wasAnswered(exchange, parts.repeats));
    // A repeated one waits for its turn too, and is only compared.
    const open = async (): Promise<null> => {
      await photo.open();
      return null;
    };
    const arriving = isRepeated ? { bytes: photo.bytes, open } : photo;
    const outcome = await receive({ principal, params: input.params, photo: arriving });
    return outcome instanceof Failure ? problemOf(outcome, audience) : (outcome ?? problem);
  };
  return (exchange) =>
    bringsPhoto(exchange.request)
      ? andThen(exchange.deadline.waitForClient(received(exchange)), (body) => {
          exchange.body = body;
          return undefined;
        })
      : readJsonBody(exchange);
};

/** Does the work that a body needs before the change. The request's time does not go on meanwhile. */
export const prepareBody =
  (prepare: NonNullable<Route["prepare"]>, audience: Audience, repeats: Repeats): Step =>
  (exchange) => {
    const { principal, input, body, idempotencyKey } = exchange;
    const work = async (): Promise<unknown> => {
      if (idempotencyKey !== null && (await wasAnswered(exchange, repeats))) return body;
      return prepare.work({ principal, params: input.params, body });
    };
    if (body instanceof Problem || !prepare.isNeeded(body)) return undefined;
    return andThen(exchange.deadline.waitForClient(work()), (prepared) => {
      exchange.body = prepared instanceof Failure ? problemOf(prepared, audience) : prepared;
      return undefined;
    });
  };

/** Refuses a body that is too large, has another media type, or is not JSON. */
export const refuseBadBody: Step = ({ body }) => (body instanceof Problem ? body : undefined);

/** The id of the record in a path. The only record of its kind, whose path has no id, has id 1. */
const recordIdIn = ({ id = "1" }: Readonly<Record<string, string>>): number => Number(id);

/** Answers a client that already has the current version, for routes where this costs less than reading the record. */
export const answerKnownVersion = ({ isVersion }: Route): Step[] => {
  if (isVersion === undefined) return [];
  return [
    ({ request, params, input, principal }) => {
      const id = recordIdIn(params);
      const header = request.headers.get("if-none-match");
      const version = header === null ? null : onlyVersionOf(id, header);
      if (version === null) return undefined;
      return andThen(isVersion(principal, input, version), (isPresent) =>
        isPresent ? ok(null, { version: { id, updated_at: version } }) : undefined,
      );
    },
  ];
};

/**
 * Answers a request for one dealer's inventory without reading it, if the client already has the current version of the
 * answer, or if that version was kept.
 */
export const answerKnownList = (
  { listVersion, answer }: Route,
  { keptAnswers }: Pick<EntryPoint, "keptAnswers">,
): Step[] => {
  if (listVersion === undefined || keptAnswers === null) return [];
  const tagOf = listTags(answer.schema);
  return [
    (exchange) => {
      const { principal, input, request } = exchange;
      return andThen(listVersion({ principal, ...input }), (version) => {
        if (version === null) return undefined;
        const name = `${version} ${addressOf(request.url)}`;
        const kept = keptAnswers.find(name);
        const tag = kept?.tag ?? tagOf(name);
        exchange.listTag = tag;
        const known = request.headers.get("if-none-match");
        // Whether `*` stands for anything is known once the list was read.
        if (known !== null && known.trim() !== "*" && matchesTag(known, tag)) return ok(null);
        if (kept !== null) return kept.answer;
        exchange.keepAnswer = (answer) => keptAnswers.keep(name, tag, answer);
        return undefined;
      });
    },
  ];
};

/** Runs the use case. It decides what exists, and what the caller may reach. */
export const handle = (route: Route, entryPoint: EntryPoint): Step => {
  const honoursIfMatch = route.method !== "GET" && (route.traits?.includes("versioned") ?? false);
  return (exchange) => {
    const { principal, input, body, request, params } = exchange;
    return andThen(
      route.handle({
        principal,
        params: input.params,
        query: input.query,
        search: input.search,
        body,
        url: request.url,
        versions: honoursIfMatch ? versionsOf(recordIdIn(params), request.headers.get("if-match")) : null,
        mayGoOn: () => mayGoOn(entryPoint, exchange, principal),
        arrival: exchange,
        waiting: exchange,
      }),
      (outcome) => {
        const result = resultOf(outcome, entryPoint.audience);
        const { keepAnswer } = exchange;
        return keepAnswer === null || result instanceof Problem ? result : keepAnswer(result);
      },
    );
  };
};

/**
 * Makes a change that the caller must still be allowed to make when it is committed. The checks in `repeatedChecks` are
 * made again before the change if `hasWaited` (the body took time to arrive), and whenever the caller's rights change
 * before the commit.
 */
export const change = <Of extends Exchange>(
  hasWaited: boolean,
  repeatedChecks: readonly Step<Of>[],
  make: Step<Of>,
): Step<Of> => {
  const withChecks = [...repeatedChecks, make];
  return (exchange) => whileAuthorized((isRetry) => runSteps(hasWaited || isRetry ? withChecks : [make], exchange));
};
