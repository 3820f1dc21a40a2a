import { parentPort, workerData } from "node:worker_threads";
import { Sqlite } from "./addon.ts";
import type { CheckpointWorkerData } from "./checkpoints.ts";

const port = parentPort;
if (port === null) throw new Error("this module is the program of a thread: start it as a Worker");
const { file } = workerData as CheckpointWorkerData;
const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 });
// Flushes copied pages to disk before the log restarts.
connection.pragma("synchronous = FULL");

/** Waits for nobody: pages that others still read stay in the log. */
const isCopied = (): boolean => {
  try {
    connection.pragma("wal_checkpoint(PASSIVE)");
    return true;
  } catch {
    // Ignored: the writing connection copies the log later, and reports what is wrong with the file.
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
