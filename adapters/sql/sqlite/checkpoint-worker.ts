import { parentPort, workerData } from "node:worker_threads";
import { Sqlite } from "./addon.ts";
import type { CheckpointWorkerData } from "./checkpoints.ts";

const port = parentPort;
if (port === null) throw new Error("this module is the program of a thread: start it as a Worker");
const { file } = workerData as CheckpointWorkerData;
const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 });
// What is copied is on the disk before the log is begun anew.
connection.pragma("synchronous = FULL");

/** Waits for nobody: what others still read of the log stays in it. */
const isCopied = (): boolean => {
  try {
    connection.pragma("wal_checkpoint(PASSIVE)");
    return true;
  } catch {
    // Ignored: whoever writes copies the log then, and says what is wrong with the file.
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
