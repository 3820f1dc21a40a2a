import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { Sqlite } from "./addon.ts";
import type { ReadingThreadData, ReadRequest, ReadResult } from "./reading-thread-messages.ts";
import { THREAD_CACHE_SIZE } from "./settings.ts";

/** How much lower the priority of the thread is than that of the main thread, as a `nice` value. */
const NICENESS = 5;
const BUSY_MS = 1000;

/**
 * Lets the main thread run before this one. Only Linux has priorities for threads; on other systems it does nothing.
 */
const lowerPriority = (): void => {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), NICENESS);
  } catch {
    // The error is ignored: without /proc, the thread has the same priority as the others.
  }
};

const port = parentPort;
if (port === null) throw new Error("this module is the program of a thread: start it as a Worker");
lowerPriority();
const { file } = workerData as ReadingThreadData;
const connection = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
connection.pragma(THREAD_CACHE_SIZE);

const resultOf = ({ text, values }: ReadRequest): ReadResult => {
  try {
    return { rows: JSON.stringify(connection.prepare(text).all(values)) };
  } catch (error) {
    const { message, code } = error as Error & { readonly code?: string };
    return { message, code: code ?? "" };
  }
};

port.on("message", (read: ReadRequest | null) => {
  if (read !== null) return port.postMessage(resultOf(read));
  connection.close();
  port.close();
});
