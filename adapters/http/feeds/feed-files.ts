import { FAILED_AUTHENTICATIONS } from "../../../core/access/rate-limits.ts";
import { FEED_FORMATS, type FeedFormat } from "../../../core/channels/channel.ts";
import { msOf } from "../../../core/clock.ts";
import { type Delivery, FeedHeld, type Served } from "../../../core/feeds/delivery.ts";
import type { StopReason } from "../../../core/feeds/feed.ts";
import { limitedAddress } from "../protocol/addresses.ts";
import { matchesTag } from "../protocol/etag.ts";
import { gzipped } from "../protocol/gzipped.ts";
import type { Headers } from "../protocol/headers.ts";
import { ReadingEnded } from "../protocol/long-answers.ts";
import { ExportBody } from "../protocol/long-body.ts";
import { Problem } from "../protocol/problem.ts";
import { problemResponse } from "../protocol/problem-response.ts";
import { idIn } from "../protocol/request-path.ts";
import { safeUserAgent } from "../protocol/user-agent.ts";
import type { Exchange } from "../server/exchange.ts";
import type { OpenAnswer } from "../server/open-answers.ts";
import type { OpenPage } from "../server/open-pages.ts";
import type { PipelineParts } from "../server/parts.ts";
import { logFailure } from "../server/request-log.ts";

/** The pattern of a feed's address. The address itself contains a token, so it is never logged. */
const FEED_PATH = "/feeds/:id/:token/:file";

const TYPES = {
  csv: "text/csv; charset=utf-8",
  tsv: "text/tab-separated-values; charset=utf-8",
  ndjson: "application/x-ndjson",
} as const satisfies Record<FeedFormat, string>;

const FILE = /^vehicles\.([a-z]{1,10})(\.gz)?$/;
const MAX_TOKEN_LENGTH = 200;

const NOT_FOUND = new Problem("not_found", "Path not found");
const GONE = new Problem("gone", "This feed was deleted");

const STOP_SENTENCES: Readonly<Record<StopReason, string>> = {
  off: "This feed is switched off; keep the copy that you have",
  held: "This feed has lost too many vehicles at once, and is held until somebody has looked at it; keep the copy that you have",
  not_readable: "Whoever made this feed may not read these vehicles any more; keep the copy that you have",
};

const stopped = (why: StopReason, retrySeconds: number): Problem =>
  new Problem("unavailable", STOP_SENTENCES[why], { headers: { "retry-after": String(retrySeconds) } });

const BUSY = new Problem("unavailable", "Other files are being sent: try again soon", {
  headers: { "retry-after": "5" },
});

const tooOften = (retrySeconds: number): Problem =>
  new Problem("rate_limit_exceeded", "This feed was fetched 60 times within an hour; wait before you try again", {
    headers: { "retry-after": String(retrySeconds) },
  });

const tooManyFailures = (retrySeconds: number): Problem =>
  new Problem("rate_limit_exceeded", "Too many failed authentications from this address", {
    headers: { "retry-after": String(retrySeconds) },
  });

/** What the files of feeds need of the service. */
export interface FeedFileParts
  extends Pick<PipelineParts, "limiter" | "clock" | "exports" | "log" | "isSecret" | "warnOfProxy"> {
  readonly version: string;
}

const feedFiles = (delivery: Delivery, parts: FeedFileParts): OpenAnswer => {
  const { clock, version } = parts;

  const refused = async (exchange: Exchange, headers: Headers): Promise<Response> => {
    parts.warnOfProxy(exchange.request);
    const { admitted, retrySeconds } = await parts.limiter.take(
      `address:${limitedAddress(exchange.address)}`,
      FAILED_AUTHENTICATIONS,
    );
    return problemResponse(admitted ? NOT_FOUND : tooManyFailures(retrySeconds), { headers, clock });
  };

  const send = async (
    { request, requestId, address, params }: Exchange,
    { feed, headers, format, isZipped }: FeedFile,
  ): Promise<Response> => {
    const { id, token } = feedAddress(params);
    const agent = request.headers.get("user-agent");
    const asker = { address, agent: agent === null ? null : safeUserAgent(agent, parts.isSecret) };
    const { heading, lines } = delivery.file(feed, format, asker);
    try {
      const pieces = await parts.exports.begin({
        reader: {
          subject: `feed:${id}`,
          group: groupOf(feed.fields.dealer_ids),
          isFeed: true,
          mayGoOn: () => delivery.mayGoOn({ id, token }, feed),
        },
        body: new ExportBody(lines, { start: heading, end: "", separator: "" }),
        ...(isZipped && { form: gzipped }),
        gone: request.signal,
        failed: (error) =>
          logFailure(parts.log, {
            route: FEED_PATH,
            requestId,
            error,
            level: error instanceof ReadingEnded ? "info" : "error",
          }),
      });
      return pieces === null
        ? problemResponse(BUSY, { headers: withoutFileHeaders(headers), clock })
        : new Response(pieces, { headers });
    } catch (error) {
      if (!(error instanceof FeedHeld)) throw error;
      return problemResponse(stopped("held", delivery.retrySeconds), { headers: withoutFileHeaders(headers), clock });
    }
  };

  return async (exchange, headers) => {
    const { request, params } = exchange;
    const [, ending, zipped] = FILE.exec(params.file ?? "") ?? [];
    const format = FEED_FORMATS.find((one) => one === ending);
    const { id, token } = feedAddress(params);
    if (format === undefined || token.length > MAX_TOKEN_LENGTH) return problemResponse(NOT_FOUND, { headers, clock });
    const served = await delivery.serve({ id, token });
    if (served.kind === "unknown") return refused(exchange, headers);
    if (served.kind === "deleted") return problemResponse(GONE, { headers, clock });
    if (served.kind === "too_often") return problemResponse(tooOften(served.retrySeconds), { headers, clock });
    const agent = request.headers.get("user-agent");
    const asker = {
      address: exchange.address,
      agent: agent === null ? null : safeUserAgent(agent, parts.isSecret),
    };
    if (served.kind === "stopped") {
      delivery.recordFetch({ id }, asker, 503);
      return problemResponse(stopped(served.why, served.retrySeconds), { headers, clock });
    }
    const { feed, modifiedAt, isCacheable } = served;
    const form = { format, isZipped: zipped !== undefined };
    const tag = tagOf(version, isCacheable ? feed.state : `${feed.state} ${clock.now()}`, form);
    const answerHeaders: Headers = {
      ...headers,
      etag: tag,
      "last-modified": new Date(msOf(modifiedAt)).toUTCString(),
    };
    if (isCacheable && isNotModified(request, tag, msOf(modifiedAt))) {
      delivery.recordFetch(feed, asker, 304);
      return new Response(null, { status: 304, headers: answerHeaders });
    }
    answerHeaders["content-type"] = form.isZipped ? "application/gzip" : TYPES[form.format];
    if (request.method === "HEAD") {
      delivery.recordFetch(feed, asker, 200);
      // The stream must be closed. Otherwise the client waits for its end.
      return new Response(new ReadableStream({ start: (controller) => controller.close() }), {
        headers: answerHeaders,
      });
    }
    return send(exchange, { feed, headers: answerHeaders, ...form });
  };
};

/**
 * Sends feeds to whoever knows their addresses; see interface 6.11. A feed has its own limit. Wrong tokens count as
 * failed authentications.
 */
export const feedPage = (delivery: Delivery, parts: FeedFileParts): OpenPage => ({
  path: FEED_PATH,
  answer: feedFiles(delivery, parts),
  limit: null,
});

/** A dealer's feeds share the place of its exports. Feeds of the same dealers share one, too. */
const groupOf = (dealerIds: readonly number[] | null): string | null => {
  if (dealerIds === null) return null;
  return dealerIds.length === 1 ? `dealer:${dealerIds[0]}` : `feeds:${dealerIds.join()}`;
};

/** The file of a feed, as it is sent. */
interface FeedFile {
  readonly feed: Extract<Served, { kind: "served" }>["feed"];
  readonly headers: Headers;
  readonly format: FeedFormat;
  readonly isZipped: boolean;
}

/** An invalid number is treated as feed 0, which does not exist. So the answer is the same as to a wrong guess. */
const feedAddress = ({ id, token }: Exchange["params"]) => ({ id: idIn(id) ?? 0, token: token ?? "" });

/** The headers of an error, without those that describe the file. */
const withoutFileHeaders = (headers: Headers): Headers => {
  const { etag: _tag, "last-modified": _since, "content-type": _type, ...plain } = headers;
  return plain;
};

/**
 * The ETag of a file. It depends on the state and the format. It also depends on the version of the program, which may
 * write the file in another way.
 */
const tagOf = (
  version: string,
  state: string,
  { format, isZipped }: { readonly format: FeedFormat; readonly isZipped: boolean },
): string => {
  const text = JSON.stringify([version, state, format, isZipped]);
  return `"${new Bun.CryptoHasher("sha256").update(text).digest("base64url").slice(0, 22)}"`;
};

/** True if the client already has this file. This is decided by the ETag, or else by the modification time. */
const isNotModified = ({ headers }: Request, tag: string, modifiedMs: number): boolean => {
  const named = headers.get("if-none-match");
  if (named !== null) return matchesTag(named, tag);
  const since = headers.get("if-modified-since");
  return since !== null && Date.parse(since) >= modifiedMs;
};
