const taskset = Bun.which("taskset");

/** True if the servers and the load run on separate cores. */
export const PINNED = taskset !== null && navigator.hardwareConcurrency > 1;

/** The core of the servers. */
export const SERVER_CORE = 0;
/** The core of the load and of everything else in a comparison. */
export const LOAD_CORE = 1;

/** The command, limited to one core if that is possible. */
export const onCore = (core: number, command: readonly string[]): string[] =>
  PINNED && taskset !== null ? [taskset, "-c", String(core), ...command] : [...command];

/** Keeps this process away from the servers' core. */
export const leaveServerCore = (): void => {
  if (PINNED && taskset !== null) Bun.spawnSync([taskset, "-a", "-c", "-p", String(LOAD_CORE), String(process.pid)]);
};
