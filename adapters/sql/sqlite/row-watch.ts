import type BetterSqlite3 from "better-sqlite3";

const STATEMENTS = ["UPDATE", "DELETE"] as const;

/**
 * Knows which rows a connection changes or deletes, whichever statement or trigger does it, and while its transaction is
 * open. New rows are left out. It uses temporary triggers, which belong to the connection and leave no trace in the file.
 */
export class RowWatch {
  private readonly listeners = new Map<string, ((id: number) => void)[]>();

  constructor(private readonly connection: BetterSqlite3.Database) {}

  /** Must be called outside of all transactions. */
  add(table: string, changed: (id: number) => void): void {
    const known = this.listeners.get(table);
    if (known !== undefined) {
      known.push(changed);
      return;
    }
    const listeners = [changed];
    const name = `changed_row_of_${table}`;
    this.connection.function(name, (id) => {
      for (const listener of listeners) listener(Number(id));
      return null;
    });
    for (const statement of STATEMENTS)
      this.connection.exec(`CREATE TEMP TRIGGER ${name}_by_${statement.toLowerCase()} AFTER ${statement} ON main.${table}
        BEGIN SELECT ${name}(old.id); END`);
    this.listeners.set(table, listeners);
  }
}
