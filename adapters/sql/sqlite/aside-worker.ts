import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { Sqlite } from "./addon.ts";
import type { AsideAnswer, AsidePlace, AsideQuestion } from "./aside-messages.ts";
import { CACHE_SIZE } from "./settings.ts";

/** How much less than the thread of the requests this one gets of a busy processor: as `nice` counts it. */
const NICENESS = 5;
const BUSY_MS = 1000;

/** Lets the thread that answers requests go first. On Linux each thread has a priority; elsewhere nothing is done. */
const stepBack = (): void => {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), NICENESS);
  } catch {
    // Ignored: without /proc the thread has the same priority as the others.
  }
};

const port = parentPort;
if (port === null) throw new Error("this module is the program of a thread: start it as a Worker");
stepBack();
const { file } = workerData as AsidePlace;
const connection = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
connection.pragma(CACHE_SIZE);

const answerTo = ({ text, values }: AsideQuestion): AsideAnswer => {
  try {
    return { rows: JSON.stringify(connection.prepare(text).all(values)) };
  } catch (error) {
    const { message, code } = error as Error & { readonly code?: string };
    return { message, code: code ?? "" };
  }
};

port.on("message", (question: AsideQuestion | null) => {
  if (question !== null) return port.postMessage(answerTo(question));
  connection.close();
  port.close();
});
