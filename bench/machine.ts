import { cpus, loadavg, release, totalmem } from "node:os";
import { NODE } from "./node.ts";

/** The machine on which the measurements were made. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly bun: string;
  readonly node: string;
  /** The average number of runnable processes over the last minute before the comparison began. Near 0 is best. */
  readonly loadAverage: number;
}

/** This machine and its present load. */
export const thisMachine = (): Machine => ({
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 1024 ** 3),
  system: `${process.platform} ${process.arch} ${release()}`,
  bun: Bun.version,
  node: Bun.spawnSync([NODE, "--version"]).stdout.toString().trim().replace(/^v/, ""),
  loadAverage: loadavg()[0] ?? 0,
});
