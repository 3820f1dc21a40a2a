import { readFileSync, writeFileSync } from "node:fs";

/**
 * Loaded before the service's program. It measures the turns of the event loop, and writes the longest into the file
 * `TURNS_FILE` when the program ends. SIGUSR2 resets the measurement.
 */
const file = process.env.TURNS_FILE ?? "";
const EVERY_MS = 1;
/**
 * On Linux the main thread has the same number as its process. The first number in this file is the time that the
 * thread has run, in ns.
 */
const SCHEDSTAT_FILE = `/proc/self/task/${process.pid}/schedstat`;
const cpuMs = (): number => Number.parseInt(readFileSync(SCHEDSTAT_FILE, "latin1"), 10) / 1e6;

let longest = { cpuMs: 0, wallMs: 0 };
let before = { cpuMs: cpuMs(), at: performance.now() };

// There is at least one turn between two ticks. Its work took no more than the running time of the thread between them.
setInterval(() => {
  const now = { cpuMs: cpuMs(), at: performance.now() };
  longest = {
    cpuMs: Math.max(longest.cpuMs, now.cpuMs - before.cpuMs),
    wallMs: Math.max(longest.wallMs, now.at - before.at - EVERY_MS),
  };
  before = now;
}, EVERY_MS).unref();

process.on("SIGUSR2", () => {
  longest = { cpuMs: 0, wallMs: 0 };
});
process.on("exit", () => writeFileSync(file, JSON.stringify(longest)));
