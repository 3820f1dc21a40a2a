import { parentPort, workerData } from "node:worker_threads";
import { Sqlite } from "./addon.ts";
import type { CheckpointWorkerData } from "./checkpoints.ts";

const port = parentPort;
if (port === null) throw new Error("this module is the program of a thread: start it as a Worker");
const { file } = workerData as CheckpointWorkerData;
const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 });
// With this setting, copied pages are flushed to disk before the log restarts.
connection.pragma("synchronous = FULL");

/** Copies the log. It does not wait for readers: pages that they still need stay in the log. */
const isCopied = (): boolean => {
  try {
    connection.pragma("wal_checkpoint(PASSIVE)");
    return true;
  } catch {
    // The error is ignored: the writing connection copies the log later, and reports what is wrong with the file.
    return false;
  }
};

port.on("message", (isLast: boolean) => {
  if (isLast) {
    connection.close();
    port.close();
    return;
  }
  port.postMessage(isCopied());
});
port.postMessage(true);
