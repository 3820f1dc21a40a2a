import { expect, test } from "bun:test";
import { sql } from "kysely";
import { combinedStatement, param, type Statement, sqlStatement } from "../../../../adapters/sql/query/statement.ts";
import { ENGINES } from "../../../support/engines.ts";

for (const engine of ENGINES)
  test(`a statement that is made from others gives each part its own values on ${engine.name}`, async () => {
    const db = await engine.open();
    const part = (first: string, second: string): Statement<object> =>
      sqlStatement<object>(
        db,
        sql`SELECT CAST(${param(first)} AS INTEGER) AS one, CAST(${param(second)} AS INTEGER) AS two`,
      );
    const parts = [part("a", "b"), part("c", "a"), part("b", "b")];
    const whole = combinedStatement<{ one: number; two: number }>(parts, (texts) => texts.join(" UNION ALL "));
    expect(await db.all(whole, { a: 1, b: 2, c: 3 })).toEqual([
      { one: 1, two: 2 },
      { one: 3, two: 1 },
      { one: 2, two: 2 },
    ]);
    expect(() => whole.bind({ a: 1, b: 2 })).toThrow("no value for parameter c");
    await db.close();
  });
