import { readFileSync } from "node:fs";

/** The number of ticks in a second in /proc/<pid>/stat (USER_HZ, 100 on every Linux that Bun runs on). */
const TICKS = 100;
const FIELDS_BEFORE_UTIME = 11;

/** The CPU time of a process so far in microseconds, in user and kernel mode, over all its threads. */
export const cpuMicrosOf = (pid: number | "self"): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The second field is the name. It is in brackets and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[FIELDS_BEFORE_UTIME]) + Number(fields[FIELDS_BEFORE_UTIME + 1]);
  return (ticks * 1_000_000) / TICKS;
};

/** The CPU time so far of all living child processes, measured like `cpuMicrosOf`. */
export const cpuMicrosOfChildren = (pid: number): number => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim().split(" ");
  return children.reduce((sum, child) => {
    try {
      return sum + cpuMicrosOf(Number(child));
    } catch {
      // The process has ended meanwhile.
      return sum;
    }
  }, 0);
};

/** The memory of a process in MB: the present value, and the highest one. */
export interface Memory {
  readonly residentMb: number;
  readonly peakMb: number;
}

export const memoryOf = (pid: number): Memory => {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return { residentMb: megabytes("VmRSS"), peakMb: megabytes("VmHWM") };
};
