import { Worker } from "node:worker_threads";

/** The data with which the thread starts. */
export interface CheckpointWorkerData {
  readonly file: string;
}

/** In the compiled program, the thread's module has the path of its source file. */
const PROGRAM = Bun.isStandaloneExecutable
  ? "./adapters/sql/sqlite/checkpoint-worker.ts"
  : new URL("./checkpoint-worker.ts", import.meta.url);

/**
 * The number of changed rows after which the log is copied. They fill a few hundred to three thousand pages of 4 KiB.
 */
const CHANGES_PER_CHECKPOINT = 1000;
/** The time in which the thread must copy the log, or exit. */
const TIMEOUT_MS = 2000;

/** True if `work` finishes in time. */
const finishesInTime = async (work: Promise<void>): Promise<boolean> => {
  let timer: Timer | undefined;
  const late = new Promise<false>((resume) => {
    timer = setTimeout(() => resume(false), TIMEOUT_MS);
  });
  const done = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return done;
};

/**
 * Copies the log of a database file back into the file. Copying waits for the disk and would block all requests, so it
 * runs on a thread with its own connection. Writes wait until it ends, so that the log restarts and stays short. If the
 * thread fails, the writing connection copies the log itself later (see WRITER_SETTINGS).
 */
export class Checkpoints {
  private worker: Worker | null = null;
  private readonly exited = Promise.withResolvers<void>();
  /** The work in progress. At first it is the start of the thread. It is `null` if the thread is idle. */
  private work: PromiseWithResolvers<void> | null = null;
  private copiedAt = 0;
  private isStopped = false;

  /** `changes` returns the number of rows that the writing connection has changed since it was opened. */
  constructor(
    private readonly file: string,
    private readonly changes: () => number,
    private readonly program: URL | string = PROGRAM,
  ) {}

  /**
   * Must be called between two groups of writes. Returns what the next group must wait for; `null` if the log is short.
   */
  due(): Promise<void> | null {
    // After `end`, the connection may be closed, so that `changes` would fail.
    if (this.isStopped || this.work !== null) return null;
    const changes = this.changes();
    if (changes - this.copiedAt < CHANGES_PER_CHECKPOINT) return null;
    this.copiedAt = changes;
    if (this.worker === null) {
      this.worker = this.start();
      return null;
    }
    this.work = Promise.withResolvers();
    this.worker.postMessage(false);
    return this.withTimeout(this.work.promise);
  }

  /** Lets the thread close its connection and exit. If that takes too long, it is no longer waited for. */
  async end(): Promise<void> {
    this.isStopped = true;
    if (this.worker === null) return;
    this.worker.postMessage(true);
    await finishesInTime(this.exited.promise);
    this.worker.unref();
  }

  private start(): Worker {
    this.work = Promise.withResolvers();
    const worker = new Worker(this.program, { workerData: { file: this.file } satisfies CheckpointWorkerData });
    worker.on("message", (isDone: boolean) => (isDone ? this.free() : this.fail()));
    worker.on("error", () => this.fail());
    worker.on("exit", () => {
      this.fail();
      this.exited.resolve();
    });
    return worker;
  }

  private async withTimeout(work: Promise<void>): Promise<void> {
    if (!(await finishesInTime(work))) this.fail();
  }

  private free(): void {
    this.work?.resolve();
    this.work = null;
  }

  private fail(): void {
    this.isStopped = true;
    this.free();
  }
}
