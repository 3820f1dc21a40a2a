import type { Headers } from "./headers.ts";

/** The open streams that one key, the keys and users of one dealer, and all together, may have. */
const MAX_OF_CALLER = 5;
const MAX_OF_DEALER = 300;
const MAX_OPEN = 500;

/** What a stream begins with, so that the client learns at once that it is open. */
const OPENING = ": open\n\n";
/** What shows that a stream still works. */
export const COMMENT = ": still here\n\n";

const ENCODER = new TextEncoder();
const ENCODED_COMMENT = ENCODER.encode(COMMENT);

/** The headers of an answer that is a stream of events. Nobody on the way may keep them back. */
export const EVENT_STREAM_HEADERS: Headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** A body of events, which ends when the caller's rights do. */
export class EventBody {
  constructor(readonly events: AsyncGenerator<string, void>) {}
}

/** One event. An `id` is the place of a reader who has it. */
export const eventText = ({
  id,
  event,
  data,
}: {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}): string => {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : [`data: ${data}`]),
  ];
  return `${lines.join("\n")}\n\n`;
};

/**
 * The open streams of events. The next events are made when the client has taken those before, so that a client that does not
 * read takes no memory. Like any silent connection, it is closed by the server.
 */
export class EventStreams {
  private readonly open = new Map<string, number>();
  private total = 0;

  /** The number of open streams. */
  get count(): number {
    return this.total;
  }

  /** A stream for this caller; `null` if it, its dealer (`group`) or all together have as many as they may. */
  begin({
    subject,
    group,
    body,
    gone,
    failed,
    withoutDeadline,
  }: {
    readonly subject: string;
    /** `null` for a caller who is bound to no dealer. */
    readonly group: string | null;
    readonly body: EventBody;
    readonly gone: AbortSignal;
    readonly failed: (error: unknown) => void;
    readonly withoutDeadline: <Result>(work: () => Result) => Result;
  }): ReadableStream<Uint8Array> | null {
    const hasRoom = (name: string, most: number): boolean => (this.open.get(name) ?? 0) < most;
    if (this.total >= MAX_OPEN || !hasRoom(subject, MAX_OF_CALLER)) return null;
    if (group !== null && !hasRoom(group, MAX_OF_DEALER)) return null;
    const names = group === null ? [subject] : [subject, group];
    for (const name of names) this.open.set(name, (this.open.get(name) ?? 0) + 1);
    this.total++;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      gone.removeEventListener("abort", end);
      this.leave(names);
      // What is being made no longer matters.
      body.events.return().catch(() => {});
    };
    gone.addEventListener("abort", end, { once: true });
    if (gone.aborted) end();
    let isOpening = true;
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (isOpening) {
            isOpening = false;
            return controller.enqueue(ENCODER.encode(OPENING));
          }
          try {
            const { done, value } = await withoutDeadline(() => body.events.next());
            if (isOver) return;
            if (!done) return controller.enqueue(value === COMMENT ? ENCODED_COMMENT : ENCODER.encode(value));
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
      { highWaterMark: 0 },
    );
  }

  private leave(names: readonly string[]): void {
    for (const name of names) {
      const left = (this.open.get(name) ?? 1) - 1;
      if (left === 0) this.open.delete(name);
      else this.open.set(name, left);
    }
    this.total--;
  }
}
