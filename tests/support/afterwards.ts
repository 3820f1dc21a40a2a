/**
 * Runs a shell script as soon as the tests' process has ended, however it ended: killed, too. `bun test` tells
 * nobody that it is over. Returns what runs the script at once instead.
 */
export const afterwards = (script: string, ...values: readonly string[]): (() => Promise<void>) => {
  // Its standard input ends with the process that holds the other end; what interrupts the tests is not to end it first.
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
