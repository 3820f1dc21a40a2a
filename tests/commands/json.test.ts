import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import Type, { type TSchema } from "typebox";
import { DealerListAnswer } from "../../adapters/http/api/dealers.ts";
import { KeyAnswer, KeyWithSecretAnswer } from "../../adapters/http/api/key-answers.ts";
import { UserAnswer } from "../../adapters/http/api/users.ts";
import { sqlStatement } from "../../adapters/sql/query/statement.ts";
import { compiledOnUse } from "../../core/compiled.ts";
import { inGate } from "../support/depth.ts";
import { ANSWERING, connect } from "../support/engines.ts";
import { inThisProcess, type Ran, TEST_TIMEOUT_MS, testProgram } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const MADE = "2026-01-01T00:00:00.000Z";
/** Several times as many as are read at once. */
const COUNT = inGate(2500, 10_000);
const NEWEST = 0.7 * COUNT;

/** Inserts this many keys at once, because creating each would take minutes. */
const addKeys = async (url: string): Promise<void> => {
  const db = connect(url);
  try {
    const rows = sql`INSERT INTO api_keys (name, app_type, app_id, key_start, association, permissions, active,
        bootstrap, search_folded, description, created_at, updated_at)
      WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${sql.lit(COUNT)})
      SELECT 'Key ' || CAST(number AS TEXT), 'web', 'site', 'vis', 'none', 1, 1, 0, '', ${sql.lit(`${"Two\nlines ".repeat(30)}`)},
        ${sql.lit(MADE)}, ${sql.lit(MADE)} FROM numbers`;
    await db.writeOne(sqlStatement(db, rows), {});
  } finally {
    await db.close();
  }
};

/** Whether a value matches the API's schema, with all of its fields and no others. */
const matchesSchema = (schema: TSchema, value: unknown): boolean => compiledOnUse(schema)().Check(value);

const SITE = "--name Showroom --app-type web --app-id site";

/** Command lines in the order of their runs, the schema of their output, and expected values of the record. */
const RECORDS: readonly (readonly [line: string, schema: TSchema, values: object])[] = [
  ["users create --name Robin --email robin@example.com --role user", UserAnswer, { id: 1, active: true }],
  ["users show 1", UserAnswer, { id: 1, email: "robin@example.com", dealer_id: null }],
  ["users deactivate 1", UserAnswer, { id: 1, active: false }],
  ["users activate 1", UserAnswer, { id: 1, active: true }],
  [`keys create ${SITE} --dealer-id 1`, KeyWithSecretAnswer, { id: 1, bound_dealer_id: 1, rate_limit: null }],
  ["keys show 1", KeyAnswer, { id: 1, name: "Showroom", active: true }],
  ["keys rotate 1 --grace-seconds 5", KeyWithSecretAnswer, { id: 1 }],
  ["keys revoke 1", KeyAnswer, { id: 1, active: false }],
];
/** One list of each kind is printed by the program that is started for it. */
const STARTED = /^(?:users list|dealers list|keys list --dealer-id 1)$/;
const USERS = Type.Array(UserAnswer);
const KEYS = Type.Array(KeyAnswer);
const LISTS: readonly (readonly [line: string, schema: TSchema, ids: readonly number[]])[] = [
  ["users list", USERS, [1]],
  ["users list --role super_admin", USERS, []],
  ["dealers list", DealerListAnswer, [2, 1]],
  ["dealers list --limit 1", DealerListAnswer, [2]],
  ["dealers list --city nowhere", DealerListAnswer, []],
  ["keys list --dealer-id 1", KEYS, [1]],
];

for (const engine of ANSWERING)
  describe(`the option --json on ${engine.name}`, () => {
    const program = testProgram();
    const secrets: string[] = [];
    let url = "";
    const on = (line: string, ...more: readonly string[]): Promise<Ran> =>
      program.runWith({ DATABASE_URL: url }, ...line.split(" "), ...more);
    /** For what a command prints that has been started for another test. */
    const again = (line: string, ...more: readonly string[]): Promise<Ran> =>
      inThisProcess(program).runWith({ DATABASE_URL: url }, ...line.split(" "), ...more);

    beforeAll(async () => {
      url = await engine.migratedUrl();
      expect(await on("seed --dealers 2 --vehicles 0")).toMatchObject({ code: 0 });
    }, TEST_TIMEOUT_MS);

    test("prints the record that a command shows or changes, with a secret only when that is created", async () => {
      for (const [line, schema, values] of RECORDS) {
        const { code, out, err } = await on(line, "--json");
        expect({ line, code, err }).toEqual({ line, code: 0, err: "" });
        const record = JSON.parse(out);
        expect({ line, record, matchesSchema: matchesSchema(schema, record) }).toMatchObject({ matchesSchema: true });
        expect(record).toMatchObject(values);
        for (const secret of secrets) expect(out).not.toContain(secret);
        if ("api_key" in record) secrets.push(record.api_key);
      }
      expect(secrets).toHaveLength(2);
    });

    test.each(LISTS)("prints every list as an array: %s", async (line, schema, ids) => {
      const { code, out, err } = await (STARTED.test(line) ? on : again)(line, "--json");
      expect({ code, err }).toEqual({ code: 0, err: "" });
      const records: { id: number }[] = JSON.parse(out);
      expect(records.map(({ id }) => id)).toEqual([...ids]);
      expect(matchesSchema(schema, records)).toBe(true);
      expect(out).toBe(`${JSON.stringify(records, null, 2)}\n`);
    });

    test("prints no control characters, and keeps the value", async () => {
      const name = "\u009b31m\u007f \u202e\u{e0041} 車両";
      const made = await again("users create --email marks@example.com --role user --json", "--name", name);
      const id: number = JSON.parse(made.out).id;
      const list = await again("users list --json");
      for (const { out } of [made, await again(`users show ${id} --json`), list])
        expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(JSON.parse(made.out).name).toBe(name);
      expect(JSON.parse(list.out)[0].name).toBe(name);
      expect(list.out).toContain("車両");
    });

    test(`prints ${COUNT} keys, each once, newest first, as a table and as JSON`, async () => {
      await addKeys(url);
      const [table, json, newest] = await Promise.all([
        again("keys list"),
        on("keys list --json"),
        again(`keys list --json --limit ${NEWEST}`),
      ]);
      const records: { id: number; description: string }[] = JSON.parse(json.out);
      expect(records).toHaveLength(COUNT + 1);
      expect(new Set(records.map(({ id }) => id)).size).toBe(COUNT + 1);
      expect(records.filter(({ id }) => id > 1).every(({ description }) => description.includes("\n"))).toBe(true);
      expect(json.out).toBe(`${JSON.stringify(records, null, 2)}\n`);
      expect(JSON.parse(newest.out)).toEqual(records.slice(0, NEWEST));
      expect(table.out.trimEnd().split("\n")).toHaveLength(COUNT + 2);
      expect([table.err, json.err, table.code, json.code]).toEqual(["", "", 0, 0]);
    });
  });
