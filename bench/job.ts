/** The first order for the load process. */
export interface Job {
  readonly port: number;
  /** The server's process, whose CPU time is measured. */
  readonly pid: number;
  /**
   * The parent of the database's processes, whose CPU time is measured too. `null` if the database runs within the
   * server.
   */
  readonly databasePid: number | null;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly warmUpRequests: number;
  /** The length of one part of the measurement. */
  readonly partMs: number;
  /** Whole requests as bytes, which are sent in turn. */
  readonly requests: readonly string[];
  /** The statuses that count as answers. Any other status fails the run. */
  readonly statuses: readonly number[];
}

/**
 * Orders for the load process. The first one is the job, after which it warms the server up. Then each order measures
 * one part.
 */
export type Order = { readonly job: Job } | "part";

/** The results of all parts so far, which the load process sends as its answer to every order. */
export interface Sample {
  readonly requests: number;
  readonly perSecond: number;
  /** The server's CPU time for one request, in user and kernel mode, over all its threads. */
  readonly cpuMicros: number;
  /** The CPU time of the database's own processes for one request. `null` if it has no processes of its own. */
  readonly databaseMicros: number | null;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /**
   * The share of its core that the load process used, from 0 to 1. If it is near 1, the load process was the
   * bottleneck.
   */
  readonly generatorBusy: number;
}
