const taskset = Bun.which("taskset");

/** Whether servers and load are kept apart on cores of their own. */
export const PINNED = taskset !== null && navigator.hardwareConcurrency > 1;

/** Where servers run. */
export const SERVER_CORE = 0;
/** Where the load, and everything else of a comparison, runs. */
export const LOAD_CORE = 1;

/** The command, kept on one core where that can be done. */
export const onCore = (core: number, command: readonly string[]): string[] =>
  PINNED && taskset !== null ? [taskset, "-c", String(core), ...command] : [...command];

/** Keeps this very process off the servers' core. */
export const leaveServerCore = (): void => {
  if (PINNED && taskset !== null) Bun.spawnSync([taskset, "-a", "-c", "-p", String(LOAD_CORE), String(process.pid)]);
};
