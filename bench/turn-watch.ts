import { readFileSync, writeFileSync } from "node:fs";

/**
 * Loaded before the service's program: measures the turns of its event loop, and at its end writes the longest into the
 * file `TURNS_FILE`. SIGUSR2 resets the measurement.
 */
const file = process.env.TURNS_FILE ?? "";
const EVERY_MS = 1;
/** On Linux the main thread has the number of its process: how long it has run is the first of these numbers, in ns. */
const SCHEDSTAT_FILE = `/proc/self/task/${process.pid}/schedstat`;
const cpuMs = (): number => Number.parseInt(readFileSync(SCHEDSTAT_FILE, "latin1"), 10) / 1e6;

let longest = { cpuMs: 0, wallMs: 0 };
let before = { cpuMs: cpuMs(), at: performance.now() };

// At least one turn lies between two ticks: its work is at most the thread's running time between them.
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
