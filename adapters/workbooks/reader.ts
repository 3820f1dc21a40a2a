import { Worker } from "node:worker_threads";
import { WorkbookRefused } from "../../core/imports/workbook/refused.ts";
import type { SheetFacts } from "../../core/imports/workbook/sheet-text.ts";
import type { SheetReading, WorkbookReader } from "../../core/imports/workbook/workbook-reader.ts";
import type { WorkbookAnswer, WorkbookRequest, WorkbookWork } from "./messages.ts";

/** In the compiled program, the thread's module has the path of its source file. */
const PROGRAM = Bun.isStandaloneExecutable ? "./adapters/workbooks/worker.ts" : new URL("./worker.ts", import.meta.url);

/** A thread that reads one workbook, and ends with it. */
class ReadingThread {
  private readonly worker: Worker;
  private waiting: { resolve(answer: WorkbookAnswer): void; reject(error: Error): void } | null = null;
  private fault: Error | null = null;

  constructor(work: WorkbookWork) {
    // The workbook is moved to the thread, and not copied.
    this.worker = new Worker(PROGRAM, { workerData: work, transferList: [work.file.buffer] });
    this.worker.unref();
    this.worker.on("message", (answer: WorkbookAnswer) => this.settle((waiting) => waiting.resolve(answer)));
    this.worker.on("error", (error) => this.fail(error instanceof Error ? error : new Error(String(error))));
    this.worker.on("exit", () => this.fail(new Error("the thread that reads a workbook ended early")));
  }

  next(): Promise<WorkbookAnswer> {
    if (this.fault !== null) throw this.fault;
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.worker.postMessage("next" satisfies WorkbookRequest);
    });
  }

  /** Lets the thread end. It ends behind the piece that it is making. */
  end(): void {
    this.worker.postMessage("end" satisfies WorkbookRequest);
  }

  private fail(error: Error): void {
    this.fault ??= error;
    this.settle((waiting) => waiting.reject(error));
  }

  private settle(how: (waiting: NonNullable<ReadingThread["waiting"]>) => void): void {
    const { waiting } = this;
    this.waiting = null;
    if (waiting !== null) how(waiting);
  }
}

/** Reads workbooks on threads, one at a time, so that together they take no more memory than one. */
export const threadedWorkbooks = (): WorkbookReader => {
  let lastTurn: Promise<void> = Promise.resolve();

  async function* read(work: WorkbookWork, ended: (facts: SheetFacts) => void): AsyncGenerator<Uint8Array> {
    const before = lastTurn;
    const { promise, resolve } = Promise.withResolvers<void>();
    lastTurn = promise;
    await before;
    let thread: ReadingThread | null = null;
    try {
      thread = new ReadingThread(work);
      for (;;) {
        const answer = await thread.next();
        if ("piece" in answer) yield answer.piece;
        else if ("facts" in answer) return ended(answer.facts);
        else throw "fault" in answer ? new WorkbookRefused(answer.fault) : new Error(answer.defect);
      }
    } finally {
      thread?.end();
      resolve();
    }
  }

  return {
    read(file, wanted): SheetReading {
      let known: SheetFacts | null = null;
      const pieces = read({ file, wanted }, (facts) => {
        known = facts;
      });
      return {
        pieces,
        facts() {
          if (known === null) throw new Error("a workbook was not read to its end");
          return known;
        },
      };
    },
  };
};
