/** The first order to the load process. */
export interface Job {
  readonly port: number;
  /** The server's process, whose CPU time is measured. */
  readonly pid: number;
  /**
   * The parent of the database's processes, whose CPU time is measured too; `null` if the server is its own database.
   */
  readonly databasePid: number | null;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly warmUpRequests: number;
  /** The length of one part of the measurement. */
  readonly partMs: number;
  /** Whole requests as bytes on the wire, sent in turn. */
  readonly requests: readonly string[];
  /** Statuses that count as answered; any other fails the run. */
  readonly statuses: readonly number[];
}

/**
 * Orders to the load process: first the job, after which it warms the server up; then to measure a part, any number of
 * times.
 */
export type Order = { readonly job: Job } | "part";

/** The load process's results of all parts so far: its answer to every order. */
export interface Sample {
  readonly requests: number;
  readonly perSecond: number;
  /** The server's CPU time for one request, in user and kernel mode, over all threads. */
  readonly cpuMicros: number;
  /** The CPU time of the database's own processes for one request; `null` if it has none. */
  readonly databaseMicros: number | null;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The share of its core that the load process used, 0 to 1. Near 1 it was the bottleneck. */
  readonly generatorBusy: number;
}
