import type { ReservedSQL, SQL } from "bun";
import { DatabaseUnavailable } from "./database.ts";
import { Place } from "./gate.ts";
import { isConnectionLost, postgresError } from "./postgres-errors.ts";
import type { PostgresRow } from "./postgres-rows.ts";

/**
 * One connection, opened when it is first needed and again after it was lost. It is a client of its own, with a pool
 * of one. In a pool that all shared, as soon as there were more statements than connections, any number of them were
 * sent down the same connection one behind the other, writes and reads, so that quick ones waited for slow ones (p99
 * of 230 to 590 ms where p50 was 1.3 ms); it gave no hold on the one connection that hangs; and its `reserve` waited
 * for ever while the server was away.
 */
export class PostgresConnection extends Place {
  private client: SQL | null = null;
  private overdue = false;

  constructor(private readonly open: () => SQL) {
    super();
  }

  /** Runs one statement that is a transaction by itself, after those that are under way. */
  run(text: string, values: unknown[]): Promise<PostgresRow[]> {
    this.client ??= this.open();
    return this.client.unsafe<PostgresRow[]>(text, values);
  }

  /**
   * The connection as it is now, for statements that belong together: once lost it stays lost, where `run` would go on
   * with another one in the middle of a transaction.
   */
  reserve(): Promise<ReservedSQL> {
    this.client ??= this.open();
    return this.client.reserve();
  }

  expire(): void {
    this.overdue = true;
    this.drop();
  }

  /** Closes the connection without a farewell: what runs on it fails, and the server undoes what is not committed. */
  drop(): void {
    const { client } = this;
    this.client = null;
    void client?.close({ timeout: 0 });
  }

  /** The error as the callers know it; see postgresError. */
  failure(error: unknown, outcomeUnknown: boolean): unknown {
    if (!this.overdue) return postgresError(error, outcomeUnknown);
    return new DatabaseUnavailable("PostgreSQL did not answer in time", { cause: error, outcomeUnknown });
  }

  /** True when the work failed for want of a connection alone, and there is time to try another. */
  mayRetry(error: unknown): boolean {
    return !this.overdue && isConnectionLost(error);
  }

  /** To be called before each piece of work; what others have under way is not forgiven. */
  reset(): this {
    if (this.visits.length === 1) this.overdue = false;
    return this;
  }

  /** Waits a little for what runs, then closes. */
  async close(): Promise<void> {
    await this.client?.close({ timeout: 1 });
  }
}
