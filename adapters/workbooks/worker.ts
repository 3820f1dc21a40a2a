import { parentPort, workerData } from "node:worker_threads";
import { WorkbookRefused } from "../../core/imports/workbook/refused.ts";
import { sheetText } from "../../core/imports/workbook/sheet-text.ts";
import { inflated } from "./inflate.ts";
import type { WorkbookAnswer, WorkbookRequest, WorkbookWork } from "./messages.ts";

/** After so many unpacked bytes, what is left of them is given back: the runtime would wait until there are many more. */
const BYTES_PER_TIDYING = 4 * 1024 * 1024;

async function* tidilyInflated(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of inflated(packed)) {
    bytes += chunk.length;
    if (bytes >= BYTES_PER_TIDYING) {
      bytes = 0;
      Bun.gc(true);
    }
    yield chunk;
  }
}

const { file, wanted } = workerData as WorkbookWork;
const reading = sheetText(file, tidilyInflated, wanted);

/** The next piece, or how the reading ended. */
const next = async (): Promise<WorkbookAnswer> => {
  try {
    const { done, value } = await reading.next();
    return done ? { facts: value } : { piece: value };
  } catch (error) {
    if (error instanceof WorkbookRefused) return { fault: error.fault };
    return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
};

parentPort?.on("message", async (request: WorkbookRequest) => {
  const answer = request === "next" ? await next() : null;
  if (answer !== null) parentPort?.postMessage(answer);
  if (answer === null || !("piece" in answer)) parentPort?.close();
});
