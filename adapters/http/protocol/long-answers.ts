import type { SteadyClock } from "../../../core/clock.ts";
import { Pace } from "../../../core/pace.ts";
import { AnswerPlaces, type Recipient } from "./answer-places.ts";
import type { LongBody, Pieces } from "./long-body.ts";

/** The memory for all long answers together, how long each may wait for its turn, and how long it may take. */
interface LongAnswerLimits {
  readonly bytes: number;
  /** The memory for feeds besides. */
  readonly feedBytes?: number;
  readonly waitMs: number;
  /**
   * How long one answer may take. If it is set, the recipient must also read at the minimum speed, and those who read
   * slowly make way for those who wait.
   */
  readonly maxMs?: number;
}

const MEBIBYTE = 1024 * 1024;

/** The memory for one answer while it is sent: a slice as rows, as text and as bytes, and the slice before it. */
const BYTES_PER_ANSWER = MEBIBYTE;

/** Many lists can be sent at the same time. They hold no snapshot, so a slow reader does not keep others waiting. */
const LIMITS: LongAnswerLimits = { bytes: 128 * MEBIBYTE, waitMs: 2000 };

/** The maximum number of exports at the same time. Each holds a connection and a snapshot of the database. */
const MAX_EXPORTS = 4;
/** The places that exports leave to feeds, as channels come at their own times and do not know of exports. */
const FEED_PLACES = 2;
const MINUTE_MS = 60_000;
const EXPORT_MINUTES = 15;

/** The limits of exports. */
export const EXPORT_LIMITS: LongAnswerLimits = {
  bytes: MAX_EXPORTS * BYTES_PER_ANSWER,
  feedBytes: FEED_PLACES * BYTES_PER_ANSWER,
  waitMs: LIMITS.waitMs,
  maxMs: EXPORT_MINUTES * MINUTE_MS,
};

/** How often to check whether answers take too long or are read too slowly. */
const CHECK_MS = 100;

/**
 * The pause after each slice. A slice takes about as long, so that long answers leave half of the event loop's time to
 * others.
 */
const PAUSE_MS = 1;

/**
 * Thrown if an answer was broken off without a fault of the service: its recipient lost the right to it, disconnected,
 * or read too slowly.
 */
export class ReadingEnded extends Error {
  override readonly name = "ReadingEnded";
}

/**
 * Sends answers that are too long to hold in memory. A slice is made only when the client has taken the one before, so
 * that a client that does not read takes little memory. Each caller gets one long answer at a time, and callers of one
 * dealer share a part of the memory; others wait. Like any silent connection, a reader that takes nothing is
 * disconnected by the server. Answers with a time limit are also broken off if their recipient reads too slowly.
 */
export class LongAnswers {
  private readonly places: AnswerPlaces;
  private lastTurn: Promise<void> = Promise.resolve();

  constructor(
    private readonly limits = LIMITS,
    private readonly clock: SteadyClock = { steadyMs: () => performance.now() },
  ) {
    const { bytes, feedBytes = 0, waitMs, maxMs } = limits;
    this.places = new AnswerPlaces({
      most: Math.floor(bytes / BYTES_PER_ANSWER),
      forFeeds: Math.floor(feedBytes / BYTES_PER_ANSWER),
      waitMs,
      slowMakeWay: maxMs !== undefined,
    });
  }

  /**
   * The body of an answer to `reader`, with its first slice already made. It is `null` if its turn did not come in
   * time, if the reader lost the right to it before the first slice that is not empty, or if `gone` signals that the
   * client went away. If a body breaks off, `failed` is called with the reason, and the connection is closed without
   * the end of the body, so that nobody takes it for complete. `form` may change the bytes of the pieces before they
   * are sent.
   */
  async begin({
    reader,
    body,
    gone,
    failed,
    form = (pieces) => pieces,
  }: {
    readonly reader: Recipient;
    readonly body: LongBody;
    readonly gone: AbortSignal;
    readonly failed: (error: unknown) => void;
    readonly form?: (pieces: Pieces) => Pieces;
  }): Promise<ReadableStream<Uint8Array> | null> {
    const place = await this.places.take(reader, gone);
    if (place === null) return null;
    const pieces = form(this.piecesOf(body, reader.mayGoOn));
    let sending: ReadableStreamDefaultController<Uint8Array> | null = null;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      gone.removeEventListener("abort", end);
      this.places.leave(place);
      // A failure of the slice in progress no longer matters, as the answer is over.
      pieces.return().catch(() => {});
    };
    const breakOff = (why: string): void => {
      const error = new ReadingEnded(why);
      failed(error);
      sending?.error(error);
      end();
    };
    const pace = new Pace(this.clock);
    place.holder = { pace, end: () => breakOff("others waited, and it was read slowly") };
    const endsAt = this.clock.steadyMs() + (this.limits.maxMs ?? Number.POSITIVE_INFINITY);
    const checkTime = (): void => {
      if (this.clock.steadyMs() >= endsAt) breakOff("the answer took too long");
      else if (pace.isTooSlow()) breakOff("the answer was read too slowly");
    };
    const timer = Number.isFinite(endsAt) ? setInterval(checkTime, CHECK_MS) : undefined;
    gone.addEventListener("abort", end, { once: true });
    if (gone.aborted) end();
    let ready: IteratorResult<Uint8Array, void> | null;
    try {
      ready = await pieces.next();
    } catch (error) {
      const isAbandoned = isOver;
      end();
      if (isAbandoned || gone.aborted) return null;
      if (!(error instanceof ReadingEnded)) throw error;
      failed(error);
      return null;
    }
    if (isOver) return null;
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          sending = controller;
        },
        async pull(controller) {
          pace.moved(0);
          try {
            const { done, value } = ready ?? (await pieces.next());
            ready = null;
            if (isOver) return;
            if (!done) {
              // Bytes count when they are sent, whether compressed or not. From then on, the client needs time to read
              // them.
              pace.moved(value.length);
              pace.wait();
              return controller.enqueue(value);
            }
            controller.close();
          } catch (error) {
            if (isOver) return;
            failed(error);
            controller.error(error);
          }
          end();
        },
        cancel: end,
      },
      // Nothing is made in advance: the runtime asks for a slice when the client has taken the one before.
      { highWaterMark: 0 },
    );
  }

  /** The body in pieces, while its reader has a right to it. */
  private async *piecesOf(
    { slices, framing: { start, end, separator } }: LongBody,
    mayGoOn: Recipient["mayGoOn"],
  ): Pieces {
    let before: string | null = start;
    let isFirst = true;
    for (const read of slices) {
      if (!isFirst && !(await mayGoOn())) throw new ReadingEnded("the reader has lost the right to it");
      isFirst = false;
      const piece = await this.inTurn(async () => {
        const texts = await read();
        return texts.length === 0 ? null : Buffer.from((before ?? separator) + texts.join(separator));
      });
      if (piece === null) continue;
      yield piece;
      before = null;
    }
    yield Buffer.from((before ?? "") + end);
  }

  /** Makes one slice at a time for all answers together, and lets other requests run before the next. */
  private async inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
    const before = this.lastTurn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.lastTurn = promise;
    await before;
    try {
      return await make();
    } finally {
      setTimeout(resolve, PAUSE_MS);
    }
  }
}
