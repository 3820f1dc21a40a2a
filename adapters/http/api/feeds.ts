import Type from "typebox";
import { usualFormat } from "../../../core/channels/channels.ts";
import { Failure, type Outcome } from "../../../core/failure.ts";
import {
  FEED_READ_ONLY,
  type Feed,
  FeedChanges,
  FeedQuery,
  FeedRotation,
  FindingsQuery,
  NewFeed,
  PreviewQuery,
} from "../../../core/feeds/feed.ts";
import type { Feeds, FeedWithToken } from "../../../core/feeds/feeds.ts";
import type { FeedInspections } from "../../../core/feeds/inspections.ts";
import { cursorList } from "../protocol/cursor-page.ts";
import { NO_STORE } from "../protocol/headers.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { type Answer, created, ok, type Route, route, type Version } from "../protocol/route.ts";
import { cursorMeta, DoneAnswer, recordId } from "./answers.ts";
import {
  FeedAnswer,
  FeedFindingAnswer,
  FeedPreviewAnswer,
  FeedReadinessAnswer,
  ShownFeedAnswer,
} from "./feed-answers.ts";

const params = Type.Object({ id: recordId("feed") });

const LIST = "feeds";
const findingsList = (feedId: number): string => `findings of feed ${feedId}`;

/** The version of a feed: the time of its last change or of its last fetch, as the answer contains both. */
const versionOf = ({ id, updated_at, fetches: [last], stopped }: Feed): Version => ({
  id,
  updated_at: last !== undefined && last.at > updated_at ? last.at : updated_at,
  // The rights of its maker can change without a change of the feed.
  ...(stopped === "not_readable" && { variant: "s" }),
});

const answerFeed = (outcome: Outcome<Feed>): Outcome<Answer> =>
  outcome instanceof Failure ? outcome : ok(outcome, { version: versionOf(outcome) });

/**
 * The routes of feeds. The addresses of feeds begin with `publicUrl` or, if it is not set, with the origin to which the
 * request was sent.
 */
export const feedRoutes = ({
  feeds,
  inspections,
  cursors,
  publicUrl,
}: {
  readonly feeds: Feeds;
  readonly inspections: FeedInspections;
  readonly cursors: ListCursors;
  readonly publicUrl: string | null;
}): Route[] => {
  const withAddress = ({ feed, token }: FeedWithToken, requestUrl: string) => ({
    ...feed,
    url: `${(publicUrl ?? new URL(requestUrl).origin).replace(/\/$/, "")}/feeds/${feed.id}/${token}/vehicles.${usualFormat(feed.channel)}`,
  });

  return [
    route({
      operation: "feed.create",
      name: "createFeed",
      method: "POST",
      path: "/api/feeds",
      summary: "Create a feed",
      description:
        "Creates a file of vehicles that a channel fetches. Its address contains a token, and is shown only in this answer. The feed is served as long as its creator may read the vehicles, or whoever changes it or its address later. For a bound key, `dealer_ids` is replaced by the key's dealer.",
      body: {
        name: "NewFeed",
        schema: NewFeed,
        readOnly: FEED_READ_ONLY,
        example: {
          name: "Google",
          channel: "google_vehicle_listings",
          dealer_ids: [1],
          filters: { condition: "used" },
          link_template: "https://www.example.com/cars/{stock_number}",
          currency: "USD",
          country: "US",
          store_codes: { "1": "HARBOR-1" },
          mileage_unit: "mi",
        },
      },
      answer: { status: 201, schema: ShownFeedAnswer, description: "The feed with its address" },
      traits: ["versioned"],
      secrets: ["url"],
      errors: [],
      async handle({ principal, body, url }) {
        const made = await feeds.create(principal, body);
        if (made instanceof Failure) return made;
        const answer = created(withAddress(made, url), `/api/feeds/${made.feed.id}`, versionOf(made.feed));
        return { ...answer, headers: { ...answer.headers, ...NO_STORE } };
      },
    }),
    route({
      operation: "feed.list",
      name: "listFeeds",
      method: "GET",
      path: "/api/feeds",
      summary: "List feeds",
      description: "Newest first. A key that is bound to a dealer sees only that dealer's feeds.",
      query: FeedQuery,
      answer: {
        status: 200,
        schema: Type.Object({ data: Type.Array(FeedAnswer), meta: cursorMeta }, { title: "FeedPage" }),
        description: "A page of feeds",
      },
      traits: ["list"],
      errors: [],
      handle: cursorList({
        cursors,
        list: LIST,
        page: ({ principal, query }, after) => feeds.list(principal, query, after),
      }),
    }),
    route({
      operation: "feed.read",
      name: "getFeed",
      method: "GET",
      path: "/api/feeds/:id",
      summary: "Read a feed",
      description: "Includes the latest fetches. Each fetch also makes a new version of the feed.",
      params,
      answer: { status: 200, schema: FeedAnswer, description: "The feed without its address" },
      traits: ["versioned"],
      errors: ["not_found"],
      async handle({ principal, params }) {
        return answerFeed(await feeds.get(principal, params.id));
      },
    }),
    route({
      operation: "feed.update",
      name: "updateFeed",
      method: "PUT",
      path: "/api/feeds/:id",
      summary: "Change fields of a feed",
      description:
        "Whoever changes more than the name becomes responsible for the feed: it is served as long as they may read its vehicles. A feed that a super-admin switched off can be switched on only by super-admins. `If-Match` accepts the version of the last change and those of later fetches.",
      params,
      body: {
        name: "FeedChanges",
        schema: FeedChanges,
        readOnly: FEED_READ_ONLY,
        example: { max_drop_percent: 30 },
      },
      answer: { status: 200, schema: FeedAnswer, description: "The updated feed without its address" },
      traits: ["versioned"],
      errors: ["not_found", "exceeds_your_rights", "precondition_failed"],
      async handle({ principal, params, body, versions }) {
        return answerFeed(await feeds.update(principal, { id: params.id, input: body, versions }));
      },
    }),
    route({
      operation: "feed.rotate",
      name: "rotateFeed",
      method: "POST",
      path: "/api/feeds/:id/rotate",
      summary: "Give a feed a new address",
      description:
        "The previous address works until the grace period ends. Older addresses end at once. The caller becomes responsible for the feed, as after a change.",
      params,
      body: {
        name: "FeedRotation",
        schema: FeedRotation,
        readOnly: [],
        optional: true,
        example: { grace_seconds: 86_400 },
      },
      answer: { status: 200, schema: ShownFeedAnswer, description: "The feed with its new address" },
      secrets: ["url"],
      errors: ["not_found"],
      async handle({ principal, params, body, url }) {
        const rotated = await feeds.rotate(principal, params.id, body);
        return rotated instanceof Failure ? rotated : ok(withAddress(rotated, url), { headers: NO_STORE });
      },
    }),
    route({
      operation: "feed.release",
      name: "releaseFeed",
      method: "POST",
      path: "/api/feeds/:id/release",
      summary: "Release a held feed",
      description: "The feed is served again with its present vehicles. A feed that is not held stays unchanged.",
      params,
      answer: { status: 200, schema: FeedAnswer, description: "The feed" },
      errors: ["not_found"],
      answers: "record",
      of: ({ principal, params }) => feeds.release(principal, params.id),
    }),
    route({
      operation: "feed.preview",
      name: "previewFeed",
      method: "GET",
      path: "/api/feeds/:id/preview",
      summary: "Preview a feed",
      description: "Returns the first rows that the channel would get now. This does not count as a fetch.",
      params,
      query: PreviewQuery,
      answer: {
        status: 200,
        schema: FeedPreviewAnswer,
        description: "The rows, without empty cells",
      },
      errors: ["not_found"],
      async handle({ principal, params, query }) {
        const preview = await inspections.preview(principal, params.id, query);
        if (preview instanceof Failure) return preview;
        const { rows, ...meta } = preview;
        return ok({ data: rows, meta });
      },
    }),
    route({
      operation: "feed.readiness",
      name: "getFeedReadiness",
      method: "GET",
      path: "/api/feeds/:id/readiness",
      summary: "Read whether a feed's vehicles are ready",
      description:
        "Applies the same rules that leave vehicles out of the file. For a feed with very many vehicles, the answer is 503.",
      params,
      answer: {
        status: 200,
        schema: FeedReadinessAnswer,
        description: "The number of vehicles that are ready, and the problems of the others",
      },
      errors: ["not_found"],
      answers: "record",
      of: ({ principal, params }) => inspections.readiness(principal, params.id),
    }),
    route({
      operation: "feed.findings",
      name: "listFeedFindings",
      method: "GET",
      path: "/api/feeds/:id/readiness/vehicles",
      summary: "List the vehicles of a feed that have problems",
      description: "Newest first, each with all its problems.",
      params,
      query: FindingsQuery,
      answer: {
        status: 200,
        schema: Type.Object({ data: Type.Array(FeedFindingAnswer), meta: cursorMeta }, { title: "FeedFindingPage" }),
        description: "A page of vehicles",
      },
      traits: ["list"],
      errors: ["not_found"],
      handle: cursorList({
        cursors,
        list: ({ id }) => findingsList(id),
        page: ({ principal, params, query }, after) => inspections.findings(principal, params.id, { ...query, after }),
      }),
    }),
    route({
      operation: "feed.delete",
      name: "deleteFeed",
      method: "DELETE",
      path: "/api/feeds/:id",
      summary: "Delete a feed",
      description: "The address of the feed answers 410 from then on.",
      params,
      answer: { status: 200, schema: DoneAnswer, description: "Deleted" },
      traits: ["versioned"],
      errors: ["not_found", "precondition_failed"],
      answers: "done",
      of: ({ principal, params, versions }) => feeds.remove(principal, params.id, versions),
      says: ({ id }) => `Feed ${id} deleted`,
    }),
  ];
};
