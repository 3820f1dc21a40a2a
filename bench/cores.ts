const taskset = Bun.which("taskset");

/** Whether servers and load run on separate cores. */
export const PINNED = taskset !== null && navigator.hardwareConcurrency > 1;

/** The core of the servers. */
export const SERVER_CORE = 0;
/** The core of the load and the rest of a comparison. */
export const LOAD_CORE = 1;

/** The command, limited to one core if possible. */
export const onCore = (core: number, command: readonly string[]): string[] =>
  PINNED && taskset !== null ? [taskset, "-c", String(core), ...command] : [...command];

/** Keeps this process off the servers' core. */
export const leaveServerCore = (): void => {
  if (PINNED && taskset !== null) Bun.spawnSync([taskset, "-a", "-c", "-p", String(LOAD_CORE), String(process.pid)]);
};
