import { cpus, loadavg, release, totalmem } from "node:os";
import { NODE } from "./node.ts";

/** What the numbers were measured on. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly bun: string;
  readonly node: string;
  /** Processes that wanted to run, over the last minute; before anything of the comparison ran, near 0 is best. */
  readonly loadAverage: number;
}

/** This machine, and how busy it is right now. */
export const thisMachine = (): Machine => ({
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 1024 ** 3),
  system: `${process.platform} ${process.arch} ${release()}`,
  bun: Bun.version,
  node: Bun.spawnSync([NODE, "--version"]).stdout.toString().trim().replace(/^v/, ""),
  loadAverage: loadavg()[0] ?? 0,
});
