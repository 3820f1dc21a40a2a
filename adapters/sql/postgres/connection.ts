import type { ReservedSQL, SQL } from "bun";
import { DatabaseUnavailable } from "../query/database.ts";
import { PoolSlot } from "./connection-pool.ts";
import { isConnectionLost, postgresError } from "./errors.ts";
import type { PostgresRow } from "./rows.ts";

/**
 * One connection, opened at first use and again after it was lost. It is a client of its own with a pool of one. In one
 * shared pool of the driver, once statements outnumbered connections, any number of them were queued on the same
 * connection, so that fast ones waited for slow ones. A shared pool also gave no access to a single connection that
 * hangs, and its `reserve` waited for ever while the server was away.
 */
export class PostgresConnection extends PoolSlot {
  private client: SQL | null = null;
  private isExpired = false;

  constructor(private readonly open: () => SQL) {
    super();
  }

  /** Runs one statement as a transaction of its own, after those in progress. */
  run(text: string, values: unknown[]): Promise<PostgresRow[]> {
    this.client ??= this.open();
    return this.client.unsafe<PostgresRow[]>(text, values);
  }

  /**
   * Reserves the present connection for statements that belong together. Once lost, it stays lost; `run` would continue
   * on a new one in the middle of a transaction.
   */
  reserve(): Promise<ReservedSQL> {
    this.client ??= this.open();
    return this.client.reserve();
  }

  expire(): void {
    this.isExpired = true;
    this.drop();
  }

  /** Closes the connection abruptly: its work fails, and the server rolls back what is not committed. */
  drop(): void {
    const { client } = this;
    this.client = null;
    void client?.close({ timeout: 0 });
  }

  /** Turns an error into the one for callers; see postgresError. */
  failure(error: unknown, outcomeUnknown: boolean): unknown {
    if (!this.isExpired) return postgresError(error, outcomeUnknown);
    return new DatabaseUnavailable("PostgreSQL did not answer in time", { cause: error, outcomeUnknown });
  }

  /** True if the work failed only because the connection was lost, and there is time to try another. */
  mayRetry(error: unknown): boolean {
    return !this.isExpired && isConnectionLost(error);
  }

  /** Call this before each piece of work; failures of work in progress stay. */
  reset(): this {
    if (this.leases.length === 1) this.isExpired = false;
    return this;
  }

  /** Waits briefly for work in progress, then closes. */
  async close(): Promise<void> {
    await this.client?.close({ timeout: 1 });
  }
}
