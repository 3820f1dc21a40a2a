/**
 * Runs a shell script as soon as the test process has ended, even if it was killed: `bun test` has no hook for its own
 * end. Returns a function that runs the script immediately instead.
 */
export const afterExit = (script: string, ...values: readonly string[]): (() => Promise<void>) => {
  // Its standard input closes when the test process ends. Signals that interrupt the tests must not end it first.
  const watcher = Bun.spawn(["sh", "-c", `trap "" INT TERM HUP; cat >/dev/null; ${script}`, "sh", ...values], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  });
  watcher.unref();
  return async () => {
    await watcher.stdin.end();
    await watcher.exited;
  };
};
