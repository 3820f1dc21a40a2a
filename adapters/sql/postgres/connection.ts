import type { ReservedSQL, SQL } from "bun";
import { DatabaseUnavailable } from "../query/database.ts";
import { PoolSlot } from "./connection-pool.ts";
import { isConnectionLost, postgresError } from "./errors.ts";
import type { PostgresRow } from "./rows.ts";

/**
 * One connection, which is opened at first use and again after it was lost. It is a client with a pool of one
 * connection. A shared pool of the driver has three problems: once there were more statements than connections, any
 * number of them were queued on the same connection, so that fast ones waited for slow ones; a single connection that
 * hangs could not be reached; and `reserve` waited for ever while the server was away.
 */
export class PostgresConnection extends PoolSlot {
  private client: SQL | null = null;
  private isExpired = false;

  constructor(private readonly open: () => SQL) {
    super();
  }

  /** Runs one statement as a transaction of its own, after the work that is in progress. */
  run(text: string, values: unknown[]): Promise<PostgresRow[]> {
    this.client ??= this.open();
    return this.client.unsafe<PostgresRow[]>(text, values);
  }

  /**
   * Reserves the present connection for statements that belong together. If it is lost, the statements fail. `run`
   * would instead continue on a new connection in the middle of a transaction.
   */
  reserve(): Promise<ReservedSQL> {
    this.client ??= this.open();
    return this.client.reserve();
  }

  expire(): void {
    this.isExpired = true;
    this.drop();
  }

  /** Closes the connection abruptly. Its work fails, and the server rolls back what was not committed. */
  drop(): void {
    const { client } = this;
    this.client = null;
    void client?.close({ timeout: 0 });
  }

  /** Converts an error into the one for callers. See postgresError. */
  failure(error: unknown, outcomeUnknown: boolean): unknown {
    if (!this.isExpired) return postgresError(error, outcomeUnknown);
    return new DatabaseUnavailable("PostgreSQL did not answer in time", { cause: error, outcomeUnknown });
  }

  /** True if the work failed only because the connection was lost, and there is still time to try another one. */
  mayRetry(error: unknown): boolean {
    return !this.isExpired && isConnectionLost(error);
  }

  /** Must be called before each piece of work. Failures of work that is in progress are not affected. */
  reset(): this {
    if (this.leases.length === 1) this.isExpired = false;
    return this;
  }

  /** Waits briefly for work that is in progress, then closes the connection. */
  async close(): Promise<void> {
    await this.client?.close({ timeout: 1 });
  }
}
