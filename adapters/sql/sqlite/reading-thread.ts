import { Worker } from "node:worker_threads";
import { DatabaseUnavailable } from "../query/database.ts";
import type { AsideAnswer, AsidePlace, AsideQuestion } from "./aside-messages.ts";
import { sqliteError } from "./errors.ts";

/** The compiled program has the thread's program inside, under its path in the sources. */
const PROGRAM = Bun.isStandaloneExecutable
  ? "./adapters/sql/sqlite/aside-worker.ts"
  : new URL("./aside-worker.ts", import.meta.url);

/** How long a thread may take to end by itself. */
const ENDING_MS = 1000;

/** A question, and who waits for its answer. */
export interface Asked extends AsideQuestion {
  resolve(rows: readonly unknown[]): void;
  reject(error: unknown): void;
}

const failed = (reason: string): DatabaseUnavailable =>
  new DatabaseUnavailable(`SQLite: a thread that reads aside ${reason}`);

const errorOf = ({ message, code }: { readonly message: string; readonly code: string }): unknown =>
  sqliteError(Object.assign(new Error(message), { code }));

/** A thread with a read-only connection of its own, which answers one question at a time. */
export class ReadingThread<Question extends Asked> {
  /** The question that it is at work on. */
  question: Question | null = null;
  /** When it began with the question, as a `performance.now()` value. */
  since = 0;
  private readonly worker: Worker;
  private readonly gone = Promise.withResolvers<void>();

  /** `freed` is called when it has answered, `left` when it answers no more, `ended` when it is no more. */
  constructor(
    place: AsidePlace,
    private readonly on: { readonly freed: () => void; readonly left: () => void; readonly ended: () => void },
  ) {
    this.worker = new Worker(PROGRAM, { workerData: place });
    this.worker.on("message", (answer: AsideAnswer) => this.answered(answer));
    this.worker.on("error", (error) => this.leave(failed(`failed: ${error.message}`)));
    this.worker.on("exit", () => {
      this.leave(failed("ended"));
      this.on.ended();
      this.gone.resolve();
    });
  }

  /** Begins with a question. */
  ask(question: Question): void {
    this.question = question;
    this.since = performance.now();
    this.worker.postMessage({ text: question.text, values: question.values } satisfies AsideQuestion);
  }

  /**
   * Gives it up at once. What SQLite is at work on cannot be interrupted: the thread ends when that is done. It is not
   * terminated, as the whole process crashes if the addon finds its thread so while it makes an error.
   */
  abandon(): void {
    this.leave(failed("did not answer"));
    this.worker.postMessage(null);
    this.worker.unref();
  }

  /** Lets it close its connection and end; waits no longer if that takes long. */
  async end(): Promise<void> {
    if (this.question !== null) this.abandon();
    else this.worker.postMessage(null);
    let timer: Timer | undefined;
    const late = new Promise<void>((resume) => {
      timer = setTimeout(resume, ENDING_MS);
    });
    await Promise.race([this.gone.promise, late]);
    clearTimeout(timer);
    this.worker.unref();
  }

  private answered(answer: AsideAnswer): void {
    const { question } = this;
    this.question = null;
    if (question === null) return;
    if ("rows" in answer) question.resolve(JSON.parse(answer.rows));
    else question.reject(errorOf(answer));
    this.on.freed();
  }

  private leave(error: DatabaseUnavailable): void {
    const { question } = this;
    this.question = null;
    question?.reject(error);
    this.on.left();
  }
}
