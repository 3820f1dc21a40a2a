import { readdirSync, readFileSync } from "node:fs";
import type { Registry } from "./registry.ts";

const DESCRIPTORS = "/proc/self/fd";
const LIMIT = /^Max open files +(\d+)/m;

/** Works on Linux only. Elsewhere reading fails, and the metric is left out. */
const openDescriptors = (): number => readdirSync(DESCRIPTORS).length;

const maxDescriptors = (): number | null => {
  const most = LIMIT.exec(readFileSync("/proc/self/limits", "latin1"))?.[1];
  return most === undefined ? null : Number(most);
};

/** Adds the process metrics, under the same names as Prometheus' own clients, and the build information. */
export const addProcess = (registry: Registry, version: string): void => {
  const startedAt = Date.now() / 1000 - process.uptime();
  registry.gauge("inventory_build_info", "1; what runs is in the labels.", () => [
    { labels: { version, runtime: `bun ${Bun.version}` }, value: 1 },
  ]);
  registry.counter("process_cpu_seconds_total", "Processor time in user and kernel mode.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  registry.gauge("process_resident_memory_bytes", "Memory held.", () => process.memoryUsage.rss());
  registry.gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", () => startedAt);
  registry.gauge("process_open_fds", "Open files and connections.", openDescriptors);
  registry.gauge("process_max_fds", "How many may be open.", maxDescriptors);
};
