import { cpus, loadavg, release, totalmem } from "node:os";
import { NODE } from "./node.ts";

/** The machine on which the measurements were made, when, and of what. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly bun: string;
  readonly node: string;
  /** The average number of runnable processes over the last minute before the comparison began. Near 0 is best. */
  readonly loadAverage: number;
  /** The day, such as 2026-11-27. */
  readonly date: string;
  /** The commit of the working copy, with a plus sign if it had other changes; `unknown` outside of one. */
  readonly commit: string;
}

const commitHere = (): string => {
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", ...args], { cwd: import.meta.dir })
      .stdout.toString()
      .trim();
  try {
    const commit = git("rev-parse", "--short=8", "HEAD");
    return commit === "" ? "unknown" : `${commit}${git("status", "--porcelain") === "" ? "" : "+"}`;
  } catch {
    return "unknown";
  }
};

/** This machine and its present load. */
export const thisMachine = (): Machine => ({
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 1024 ** 3),
  system: `${process.platform} ${process.arch} ${release()}`,
  bun: Bun.version,
  node: Bun.spawnSync([NODE, "--version"]).stdout.toString().trim().replace(/^v/, ""),
  loadAverage: loadavg()[0] ?? 0,
  date: new Date().toISOString().slice(0, 10),
  commit: commitHere(),
});
