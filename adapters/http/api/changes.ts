import Type, { type TSchema } from "typebox";
import type { DealerScope } from "../../../core/access/decide.ts";
import { type Caller, readerScopeOf } from "../../../core/access/use-case.ts";
import type { ChangeFeed, StreamPart } from "../../../core/change-feed/change-feed.ts";
import {
  CHANGE_OPS,
  ChangesQuery,
  type FeedItem,
  RECORD_KINDS,
  StreamQuery,
} from "../../../core/change-feed/changed-record.ts";
import { type FeedPlace, NOW } from "../../../core/change-feed/feed-place.ts";
import type { Listener } from "../../../core/change-feed/news.ts";
import { Failure, type Outcome } from "../../../core/failure.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { COMMENT, EventBody, eventText } from "../protocol/event-stream.ts";
import type { FeedCursors } from "../protocol/feed-cursors.ts";
import { JsonText, ok, type Route, route, type Waiting } from "../protocol/route.ts";
import { dateTime, type FieldsOf, recordSchema } from "./answers.ts";
import { DealerAnswer } from "./dealers.ts";
import { ImageAnswer } from "./image-answer.ts";
import { VehicleAnswer } from "./vehicles.ts";

const RecordAnswer = Type.Union([VehicleAnswer, ImageAnswer, DealerAnswer, Type.Null()], {
  description: "The record as it is now, as a request for it alone answers it. `null` if it is to be removed.",
}) satisfies TSchema;

const ChangeAnswer = recordSchema("Change", {
  kind: oneOf(RECORD_KINDS),
  op: oneOf(CHANGE_OPS, {
    description: "Insert or replace the record, or remove it. Removing a vehicle also removes its images.",
  }),
  id: id(),
  dealer_id: id({ description: "The dealer of the record, or the one that it was removed from." }),
  at: dateTime,
  record: RecordAnswer,
} satisfies FieldsOf<FeedItem>);

const ChangePage = recordSchema("ChangePage", {
  data: Type.Array(ChangeAnswer, { description: "In the order in which a copy must make them." }),
  meta: Type.Object(
    {
      next: Type.String({ description: "Send it as `after` once this page was copied." }),
      more: Type.Boolean({ description: "True if more can be read at once." }),
    },
    { title: "ChangePageMeta", additionalProperties: false },
  ),
});

/** An item as JSON. Its record is JSON already. */
const textOf = ({ record, ...item }: FeedItem): string =>
  `${JSON.stringify(item).slice(0, -1)},"record":${record ?? "null"}}`;

/** How long a stream may go on with nothing to tell until its client gets a younger cursor. */
const RENEWAL_MS = 60 * 60 * 1000;

const listenerOf = (mayGoOn: Listener["mayGoOn"], waiting: Waiting): Listener => ({
  mayGoOn,
  onGone: (end) => waiting.onGone(end),
  during: (wait) => waiting.during(wait),
});

/** The routes of those who keep a copy of the inventory. */
export const changeRoutes = (feed: ChangeFeed, cursors: FeedCursors): Route[] => {
  const startOf = (after: string | null, scope: DealerScope): Outcome<FeedPlace> | typeof NOW | null =>
    after === NOW ? NOW : cursors.read(after, scope);

  const eventsOf = (part: StreamPart, cursorOf: (place: FeedPlace) => string): string => {
    if (part.kind === "idle") return COMMENT;
    if (part.kind === "begin") return eventText({ id: cursorOf(part.place), event: "begin", data: "{}" });
    // The empty id makes a browser forget the expired one.
    if (part.kind === "reset") return eventText({ id: "", event: "reset", data: '{"code":"cursor_expired"}' });
    return part.changes.map(({ item, place }) => eventText({ id: cursorOf(place), data: textOf(item) })).join("");
  };

  async function* eventTexts(parts: AsyncGenerator<StreamPart, void>, caller: Caller): AsyncGenerator<string, void> {
    const scope = readerScopeOf(caller);
    const cursorOf = (place: FeedPlace): string => cursors.make(place, scope);
    let renewedAt: string | null = null;
    for await (const part of parts) {
      yield eventsOf(part, cursorOf);
      if (part.kind !== "idle") continue;
      const { since } = part.place;
      renewedAt ??= since;
      if (Date.parse(since) - Date.parse(renewedAt) < RENEWAL_MS) continue;
      renewedAt = since;
      yield eventText({ id: cursorOf(part.place) });
    }
  }

  return [
    route({
      operation: "change.list",
      name: "listChanges",
      method: "GET",
      path: "/api/changes",
      summary: "Read what a copy of the inventory must do",
      description:
        "The state of records, not events: each record at most once a page, as it is now. Without `after`, the whole inventory comes first, page by page, and then what changed meanwhile: ask again with `next` for ever. A bound key reads its dealer's records; a vehicle that moves to another dealer is a `remove` for the one and an `upsert` for the other. A moved or restored vehicle comes with its images. A deactivated dealer is a `remove`; its vehicles stay. Removals are known for 30 days: then a cursor is `cursor_expired`, and the copy begins anew.",
      query: ChangesQuery,
      answer: { status: 200, schema: ChangePage, description: "A page of changes" },
      traits: ["waiting"],
      errors: ["cursor_expired"],
      async handle({ principal, query, mayGoOn, waiting }) {
        const scope = readerScopeOf(principal);
        const from = startOf(query.after ?? null, scope);
        if (from instanceof Failure) return from;
        const page = await feed.list(principal, query, { from, listener: listenerOf(mayGoOn, waiting) });
        if (page instanceof Failure) return page;
        const meta = { next: cursors.make(page.place, scope), more: page.more };
        const items = page.changes.map(({ item }) => textOf(item));
        return ok(new JsonText(`{"data":[${items.join(",")}],"meta":${JSON.stringify(meta)}}`));
      },
    }),
    route({
      operation: "change.stream",
      name: "streamChanges",
      method: "GET",
      path: "/api/changes/stream",
      summary: "Follow what a copy of the inventory must do",
      description:
        "The same as Server-Sent Events: each change is an event, and its `id` the cursor behind it. `Last-Event-ID`, or else `after`, says where to go on. A comment comes every 15 seconds. With `after=now`, an `event: begin` comes first, whose `id` is where the stream begins. An `event: reset` says that the cursor has expired: empty the copy, for the whole inventory follows. The stream ends within a second when the key's rights change. A key may have 5 streams open, the keys and users of one dealer together 300, and all together 500.",
      query: StreamQuery,
      answer: {
        status: 200,
        schema: Type.String(),
        description: "Events until the client goes away",
        file: {
          types: ["text/event-stream"],
          isCounted: false,
          example:
            'id: ZjNhMQ.1xvJ\ndata: {"kind":"vehicle","op":"remove","id":1,"dealer_id":1,"at":"2026-11-20T09:11:00.000Z","record":null}\n\n',
        },
      },
      traits: ["stream"],
      errors: [],
      async handle({ principal, query, mayGoOn, waiting }) {
        const from = startOf(waiting.lastEventId || (query.after ?? null), readerScopeOf(principal));
        if (from instanceof Failure) return from;
        const parts = await feed.follow(principal, query, { from, listener: listenerOf(mayGoOn, waiting) });
        return parts instanceof Failure ? parts : ok(new EventBody(eventTexts(parts, principal)));
      },
    }),
  ];
};
