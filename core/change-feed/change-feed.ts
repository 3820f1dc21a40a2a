import { AuthorizationLapsed } from "../access/authorization.ts";
import { admit, scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import type { Clock } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import { type ChangesQuery, FEED_DAYS, type FeedItem, RECORD_KINDS, type StreamQuery } from "./changed-record.ts";
import type { FeedReader, FeedSources } from "./feed-part.ts";
import { type FeedPlace, type FeedStart, isBehind, NOW, WALK_BEGIN } from "./feed-place.ts";
import { inventoryWalk } from "./inventory-walk.ts";
import { latestChanges } from "./latest-changes.ts";
import type { ChangeNews, Listener } from "./news.ts";

const DAY_SECONDS = 24 * 60 * 60;
const DEFAULT_LIMIT = 100;
/** The number of records that a stream sends at a time. */
const STREAM_LIMIT = 100;
/** A stream is never silent for longer than this. */
const COMMENT_SECONDS = 15;
/** A stream with nothing to tell reads again after so long, so that its cursor stays young. */
const READ_AGAIN_SECONDS = 10 * 60;

/** The cursor is too old, or belongs to a database that was since replaced. */
const EXPIRED = new Failure({ kind: "cursor-expired" });

/** An item, and the place of a reader who has it. */
interface FeedChange {
  readonly item: FeedItem;
  readonly place: FeedPlace;
}

/** A page of the feed. */
export interface FeedPage {
  readonly changes: readonly FeedChange[];
  readonly place: FeedPlace;
  /** True if more can be read at once. */
  readonly more: boolean;
}

/** Where reading begins, and who reads. */
interface Start {
  readonly from: FeedStart;
  readonly listener: Listener;
}

/** What a stream sends: where it begins, changes, a sign that it still works, or that the reader must begin anew. */
export type StreamPart =
  | { readonly kind: "begin"; readonly place: FeedPlace }
  | { readonly kind: "changes"; readonly changes: readonly FeedChange[] }
  | { readonly kind: "idle"; readonly place: FeedPlace }
  | { readonly kind: "reset" };

/** The use cases of those who keep a copy of the inventory. */
export const makeChangeFeed = ({
  news,
  clock,
  ...sources
}: FeedSources & { readonly news: ChangeNews; readonly clock: Clock }) => {
  const { records } = sources;
  const walk = inventoryWalk(sources);
  const changesAfter = latestChanges(sources);

  const readerOf = (principal: Principal, { kinds, dealer_id }: StreamQuery): Outcome<FeedReader> => {
    const noDealers = admit(principal, "dealer.list");
    if (noDealers !== null && kinds?.includes("dealer")) return noDealers;
    return {
      dealer: scopeOf(principal) ?? dealer_id ?? null,
      kinds: new Set(kinds ?? RECORD_KINDS.filter((kind) => kind !== "dealer" || noDealers === null)),
    };
  };

  /** A page at a place. */
  const read = async (reader: FeedReader, from: FeedStart, limit: number): Promise<Outcome<FeedPage>> => {
    const head = await records.head();
    const begin = { numbering: head.numbering, since: clock.now(), behind: head.position, walk: WALK_BEGIN };
    const at: FeedPlace = from === NOW ? { ...begin, walk: null } : (from ?? begin);
    const isForeign = at.numbering !== head.numbering || isBehind(at.behind, head.position);
    if (isForeign || at.since < clock.after(-FEED_DAYS * DAY_SECONDS)) return EXPIRED;
    const { behind } = at;
    if (at.walk !== null) {
      const part = await walk(reader, at.walk, limit);
      const changes = part.items.map(({ item, place }) => ({ item, place: { ...at, walk: place } }));
      if (part.place !== null) return { changes, place: { ...at, walk: part.place }, more: true };
      if (changes.length > 0) {
        const range = { after: behind, until: (await records.head()).position, limit: 1 };
        const more = (await records.changed(reader.dealer, range)).length > 0;
        return { changes, place: { ...at, walk: null }, more };
      }
    }
    const part = await changesAfter(reader, { after: behind, until: head.position }, limit);
    const place = (position: FeedPlace["behind"]): FeedPlace => ({ ...at, behind: position, walk: null });
    return {
      changes: part.items.map(({ item, place: position }) => ({ item, place: place(position) })),
      place: { ...place(part.place), ...(!part.more && { since: begin.since }) },
      more: part.more,
    };
  };

  return {
    /**
     * A page of what a copy must do to be up to date. An empty one is held until there is something, or for `wait` seconds; then
     * the caller's rights are judged again if they have changed.
     */
    list: useCase(
      "change.list",
      async (principal, query: ChangesQuery, { from, listener }: Start): Promise<Outcome<FeedPage>> => {
        const reader = readerOf(principal, query);
        if (reader instanceof Failure) return reader;
        const until = news.after(query.wait ?? 0);
        let at = from;
        for (;;) {
          const page = await read(reader, at, query.limit ?? DEFAULT_LIMIT);
          if (page instanceof Failure || page.changes.length > 0 || page.more || !query.wait) return page;
          const { behind } = page.place;
          const wait = news.next(listener, { dealer: reader.dealer, behind, until });
          const end = await (listener.during?.(wait) ?? wait);
          if (end === "lapsed") throw new AuthorizationLapsed();
          if (end !== "news") return page;
          at = page.place;
        }
      },
    ),

    /** The same without an end, as long as the caller may read it. It fails at once if the database does not answer. */
    follow: useCase(
      "change.stream",
      async (
        principal,
        query: StreamQuery,
        { from, listener }: Start,
      ): Promise<Outcome<AsyncGenerator<StreamPart, void>>> => {
        const reader = readerOf(principal, query);
        if (reader instanceof Failure) return reader;
        await records.head();
        return followed(reader, from, listener);
      },
    ),
  };

  async function* followed(reader: FeedReader, from: FeedStart, listener: Listener): AsyncGenerator<StreamPart, void> {
    let at = from;
    let until = news.after(COMMENT_SECONDS);
    while (!news.isOver() && (await listener.mayGoOn())) {
      const page = await read(reader, at, STREAM_LIMIT);
      if (page instanceof Failure) {
        yield { kind: "reset" };
        at = null;
        continue;
      }
      if (at === NOW) yield { kind: "begin", place: page.place };
      at = page.place;
      if (page.changes.length > 0) {
        yield { kind: "changes", changes: page.changes };
        until = news.after(COMMENT_SECONDS);
      }
      if (page.more) continue;
      const { behind, since } = page.place;
      let end = await news.next(listener, { dealer: reader.dealer, behind, until });
      // Nothing has changed, so nothing is read, unless the reader's place grows old.
      for (; end === "late"; end = await news.next(listener, { dealer: reader.dealer, behind, until })) {
        yield { kind: "idle", place: page.place };
        until = news.after(COMMENT_SECONDS);
        if (since < clock.after(-READ_AGAIN_SECONDS)) break;
      }
      if (end === "lapsed" || end === "over") return;
    }
  }
};

export type ChangeFeed = ReturnType<typeof makeChangeFeed>;
