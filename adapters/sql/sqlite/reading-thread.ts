import { Worker } from "node:worker_threads";
import { DatabaseUnavailable } from "../query/database.ts";
import { sqliteError } from "./errors.ts";
import type { ReadingThreadData, ReadRequest, ReadResult } from "./reading-thread-messages.ts";

/** In the compiled program, the thread's module has the path of its source file. */
const PROGRAM = Bun.isStandaloneExecutable
  ? "./adapters/sql/sqlite/reading-thread-worker.ts"
  : new URL("./reading-thread-worker.ts", import.meta.url);

/** The time in which a thread must exit by itself. */
const EXIT_TIMEOUT_MS = 1000;

/** A read, with the functions that settle the promise for its result. */
export interface PendingRead extends ReadRequest {
  resolve(rows: readonly unknown[]): void;
  reject(error: unknown): void;
}

const failed = (reason: string): DatabaseUnavailable =>
  new DatabaseUnavailable(`SQLite: a thread that reads aside ${reason}`);

const errorOf = ({ message, code }: { readonly message: string; readonly code: string }): unknown =>
  sqliteError(Object.assign(new Error(message), { code }));

/** A thread with its own read-only connection, which runs one read at a time. */
export class ReadingThread<Read extends PendingRead> {
  /** The read that is running; `null` if the thread is idle. */
  currentRead: Read | null = null;
  /** The time at which that read started, as a `performance.now()` value. */
  startedAt = 0;
  private readonly worker: Worker;
  private readonly exited = Promise.withResolvers<void>();

  /**
   * `onIdle` is called after each read, `onRetired` when the thread takes no more reads, and `onExit` when it has
   * exited.
   */
  constructor(
    data: ReadingThreadData,
    private readonly callbacks: {
      readonly onIdle: () => void;
      readonly onRetired: () => void;
      readonly onExit: () => void;
    },
  ) {
    this.worker = new Worker(PROGRAM, { workerData: data });
    this.worker.on("message", (answer: ReadResult) => this.receive(answer));
    this.worker.on("error", (error) => this.retire(failed(`failed: ${error.message}`)));
    this.worker.on("exit", () => {
      this.retire(failed("ended"));
      this.callbacks.onExit();
      this.exited.resolve();
    });
  }

  start(read: Read): void {
    this.currentRead = read;
    this.startedAt = performance.now();
    this.worker.postMessage({ text: read.text, values: read.values } satisfies ReadRequest);
  }

  /**
   * Abandons the thread at once. SQLite cannot be interrupted, so the thread exits when its read is done. It is not
   * terminated: that crashes the whole process if the addon is creating an error at that moment.
   */
  abandon(): void {
    this.retire(failed("did not answer"));
    this.worker.postMessage(null);
    this.worker.unref();
  }

  /** Lets the thread close its connection and exit. If that takes too long, it is no longer waited for. */
  async end(): Promise<void> {
    if (this.currentRead !== null) this.abandon();
    else this.worker.postMessage(null);
    let timer: Timer | undefined;
    const late = new Promise<void>((resume) => {
      timer = setTimeout(resume, EXIT_TIMEOUT_MS);
    });
    await Promise.race([this.exited.promise, late]);
    clearTimeout(timer);
    this.worker.unref();
  }

  private receive(answer: ReadResult): void {
    const { currentRead } = this;
    this.currentRead = null;
    if (currentRead === null) return;
    if ("rows" in answer) currentRead.resolve(JSON.parse(answer.rows));
    else currentRead.reject(errorOf(answer));
    this.callbacks.onIdle();
  }

  private retire(error: DatabaseUnavailable): void {
    const { currentRead } = this;
    this.currentRead = null;
    currentRead?.reject(error);
    this.callbacks.onRetired();
  }
}
