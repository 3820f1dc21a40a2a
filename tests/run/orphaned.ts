const PARENT_POLL_MS = 500;

/** Calls back once the process that started this one has ended: `bun run` may be killed without a word. */
export const onceOrphaned = (callback: () => void): void => {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    callback();
  }, PARENT_POLL_MS);
  watch.unref();
};
