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

/** One that waits for its turn. */
interface Waiting {
  readonly subject: string;
  readonly enter: () => void;
}

/**
 * Answers that are too long to be held as a whole. Each is made as it is read, a slice when the client has taken the
 * one before, so that a client that reads nothing holds no more than what is on its way to it. To each caller one is
 * sent at a time, and to all together no more than the memory allows; the others wait, and nothing of them is made.
 * A reader that takes nothing is closed by the server, as any silent connection is.
 */
export class LongAnswers {
  private readonly served = new Set<string>();
  private readonly waiting = new Set<Waiting>();
  private lastTurn: Promise<void> = Promise.resolve();

  constructor(private readonly limits = LIMITS) {}

  /**
   * The body of an answer to `subject`, its first slice made; `null` when its turn did not come in time. `gone` is the
   * client's going away. `failed` hears why a body broke off: its connection is then closed without the body's end, so
   * that nobody takes it for whole.
   */
  async begin(
    subject: string,
    json: LongJson,
    gone: AbortSignal,
    failed: (error: unknown) => void,
  ): Promise<ReadableStream<Uint8Array> | null> {
    if (!(await this.entered(subject, gone))) return null;
    const pieces = this.piecesOf(json);
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      this.leave(subject);
      void pieces.return();
    };
    gone.addEventListener("abort", end, { once: true });
    if (gone.aborted) end();
    let ready: IteratorResult<Uint8Array, void> | null;
    try {
      ready = await pieces.next();
    } catch (error) {
      end();
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

  /** The body, piece by piece. */
  private async *piecesOf({ start, slices, end }: LongJson): AsyncGenerator<Uint8Array, void> {
    let before = start;
    for (const read of slices) {
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

  private admits(subject: string): boolean {
    return !this.served.has(subject) && (this.served.size + 1) * HELD_BYTES <= this.limits.bytes;
  }

  /** Waits for a turn; false when it did not come in time, or the client went away. */
  private entered(subject: string, gone: AbortSignal): Promise<boolean> | boolean {
    if (this.admits(subject)) {
      this.served.add(subject);
      return true;
    }
    return new Promise((resolve) => {
      const finish = (hasEntered: boolean) => (): void => {
        clearTimeout(timer);
        gone.removeEventListener("abort", giveUp);
        this.waiting.delete(one);
        resolve(hasEntered);
      };
      const one: Waiting = { subject, enter: finish(true) };
      const giveUp = finish(false);
      const timer = setTimeout(giveUp, this.limits.waitMs);
      gone.addEventListener("abort", giveUp, { once: true });
      this.waiting.add(one);
    });
  }

  private leave(subject: string): void {
    this.served.delete(subject);
    for (const { subject: waiting, enter } of this.waiting) {
      if (!this.admits(waiting)) continue;
      this.served.add(waiting);
      enter();
      break;
    }
  }
}
