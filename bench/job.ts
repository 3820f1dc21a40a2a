/** What the load process is told to do first. */
export interface Job {
  readonly port: number;
  /** The server's process, whose CPU time is measured. */
  readonly pid: number;
  /** The parent of the database's processes, whose CPU time is measured too; `null` where the server is its own database. */
  readonly databasePid: number | null;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly warmUpRequests: number;
  /** How long a part of the measurement takes. */
  readonly partMs: number;
  /** Whole requests as they go over the wire, sent in turn. */
  readonly requests: readonly string[];
  /** Statuses that count as answered; any other fails the run. */
  readonly statuses: readonly number[];
}

/** What the load process is told: the job, after which it warms the server up; then to measure a part, as often as wanted. */
export type Order = { readonly job: Job } | "part";

/** What the load process found in all parts so far: its answer to every order. */
export interface Sample {
  readonly requests: number;
  readonly perSecond: number;
  /** CPU time of the server for one request, in user and kernel mode, all threads. */
  readonly cpuMicros: number;
  /** CPU time of the database's own processes for one request; `null` where it has none. */
  readonly databaseMicros: number | null;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How much of its core the load process itself used, 0 to 1: near 1 it was the bottleneck. */
  readonly generatorBusy: number;
}
