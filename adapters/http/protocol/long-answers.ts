import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { LongJson } from "./long-json.ts";

/** How much memory long answers take together, and how long each waits for its turn. */
interface LongAnswerLimits {
  readonly bytes: number;
  readonly waitMs: number;
}

const MEBIBYTE = 1024 * 1024;
const LIMITS: LongAnswerLimits = { bytes: 128 * MEBIBYTE, waitMs: 2000 };

/** What one takes while it is sent: a slice as rows, as text and as bytes, and the one before, which is on its way. */
const HELD_BYTES = MEBIBYTE;

/** After each slice, which takes about as long: long answers together leave half of the event loop to everybody else. */
const REST_MS = 1;

/** Callers of one dealer leave so many parts of the memory to all others, however many keys they have. */
const PARTS_OF_OTHERS = 4;

/** Who a long answer is for. */
export interface Reader {
  /** The caller, to whom one is sent at a time. */
  readonly subject: string;
  /** What shares a part of the memory; `null` for who answers for themselves alone. */
  readonly group: string | null;
  /** Whether it may still have the answer: asked before each slice but the first. */
  readonly mayGoOn: () => MaybePromise<boolean>;
}

/** Why an answer broke off that nothing went wrong with: its reader lost the right to it, or went away. */
export class ReadingEnded extends Error {
  override readonly name = "ReadingEnded";
}

/** One that waits for its turn. */
interface Waiting {
  readonly reader: Reader;
  readonly enter: () => void;
}

/**
 * Answers that are too long to be held as a whole. Each is made as it is read, a slice when the client has taken the
 * one before, so that a client that reads nothing holds no more than what is on its way to it. To each caller one is
 * sent at a time, to those of one dealer a part of what the memory allows, and to all together no more; the others wait, and nothing of them is made.
 * A reader that takes nothing is closed by the server, as any silent connection is.
 */
export class LongAnswers {
  /** The group of each caller that is served. */
  private readonly served = new Map<string, string | null>();
  private readonly waiting = new Set<Waiting>();
  private lastTurn: Promise<void> = Promise.resolve();

  constructor(private readonly limits = LIMITS) {}

  /**
   * The body of an answer to `reader`, its first slice made; `null` when its turn did not come in time or it went away. `gone` is the
   * client's going away. `failed` hears why a body broke off: its connection is then closed without the body's end, so
   * that nobody takes it for whole.
   */
  async begin({
    reader,
    json,
    gone,
    failed,
  }: {
    readonly reader: Reader;
    readonly json: LongJson;
    readonly gone: AbortSignal;
    readonly failed: (error: unknown) => void;
  }): Promise<ReadableStream<Uint8Array> | null> {
    if (!(await this.entered(reader, gone))) return null;
    const pieces = this.piecesOf(json, reader.mayGoOn);
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      this.leave(reader.subject);
      void pieces.return();
    };
    gone.addEventListener("abort", end, { once: true });
    if (gone.aborted) end();
    let ready: IteratorResult<Uint8Array, void> | null;
    try {
      ready = await pieces.next();
    } catch (error) {
      end();
      if (gone.aborted) return null;
      throw error;
    }
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const { done, value } = ready ?? (await pieces.next());
            ready = null;
            if (isOver) return;
            if (!done) return controller.enqueue(value);
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
      // Nothing is made before the runtime asks for it, which it does when the client has taken what was before.
      { highWaterMark: 0 },
    );
  }

  /** The body, piece by piece, while its reader has a right to it. */
  private async *piecesOf(
    { start, slices, end }: LongJson,
    mayGoOn: Reader["mayGoOn"],
  ): AsyncGenerator<Uint8Array, void> {
    let before = start;
    for (const [index, read] of slices.entries()) {
      if (index > 0 && !(await mayGoOn())) throw new ReadingEnded("the reader has lost the right to it");
      const piece = await this.inTurn(async () => {
        const texts = await read();
        return texts.length === 0 ? null : Buffer.from(before + texts.join(","));
      });
      if (piece === null) continue;
      yield piece;
      before = ",";
    }
    yield Buffer.from(before === start ? start + end : end);
  }

  /** Makes one slice of all answers at a time, and lets other requests have their turn before the next. */
  private async inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
    const before = this.lastTurn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.lastTurn = promise;
    await before;
    try {
      return await make();
    } finally {
      setTimeout(resolve, REST_MS);
    }
  }

  private admits({ subject, group }: Reader): boolean {
    const most = Math.floor(this.limits.bytes / HELD_BYTES);
    if (this.served.has(subject) || this.served.size >= most) return false;
    return group === null || this.servedOf(group) < Math.max(1, Math.floor(most / PARTS_OF_OTHERS));
  }

  private servedOf(group: string): number {
    let count = 0;
    for (const one of this.served.values()) if (one === group) count++;
    return count;
  }

  /** Waits for a turn; false when it did not come in time, or the client went away. */
  private entered(reader: Reader, gone: AbortSignal): Promise<boolean> | boolean {
    if (this.admits(reader)) {
      this.served.set(reader.subject, reader.group);
      return true;
    }
    return new Promise((resolve) => {
      const finish = (hasEntered: boolean) => (): void => {
        clearTimeout(timer);
        gone.removeEventListener("abort", giveUp);
        this.waiting.delete(one);
        resolve(hasEntered);
      };
      const one: Waiting = { reader, enter: finish(true) };
      const giveUp = finish(false);
      const timer = setTimeout(giveUp, this.limits.waitMs);
      gone.addEventListener("abort", giveUp, { once: true });
      this.waiting.add(one);
    });
  }

  private leave(subject: string): void {
    this.served.delete(subject);
    for (const { reader, enter } of this.waiting) {
      if (!this.admits(reader)) continue;
      this.served.set(reader.subject, reader.group);
      enter();
      break;
    }
  }
}
