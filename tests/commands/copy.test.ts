import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { run } from "../../app/commands/program.ts";
import { runPart } from "../support/command.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { alter, rowsOf, TEST_TIMEOUT_MS, testCommands } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const place = testCommands();
const FROM = `sqlite:${place.database}`;

beforeAll(async () => {
  expect((await place.run("seed", "--dealers", "1", "--vehicles", "5", "--no-images")).code).toBe(0);
}, TEST_TIMEOUT_MS);

describe("a copy into a file", () => {
  test("is told table by table when it is verified, and has the words of its vehicles", async () => {
    const to = place.path("copied.db");
    const { code, out, err } = await place.run("copy", "--from", FROM, "--to", `sqlite:${to}`);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/rows 100%\n(?:words \d+%\n)*words 100%\n$/) });
    expect(out).toMatch(/^vehicles {9} {8}5 {2}[0-9a-f]{64}$/m);
    expect(out).toMatch(/\nCopied and verified in \d+\.\d s\.\n$/);
    expect(rowsOf(to, "SELECT count(*) AS words FROM vehicle_words")).toEqual([{ words: 5 }]);
    expect(await place.run("copy", "--from", FROM, "--to", `sqlite:${to}`)).toEqual({
      code: 1,
      out: "",
      err: "vehicle-inventory: the target is not empty; nothing was copied\n",
    });
  });

  test("is told as JSON if that is asked for, and makes no words where search is off", async () => {
    const to = place.path("without-words.db");
    const line = ["copy", "--json", "--from", FROM, "--to", `sqlite:${to}`];
    const { code, out, err } = await place.runWith({ SEARCH: "off" }, ...line);
    expect({ code, words: err.includes("words") }).toEqual({ code: 0, words: false });
    expect(JSON.parse(out)).toContainEqual({ table: "vehicles", rows: 5, checksum: expect.stringMatching(/^\w{64}$/) });
    expect(rowsOf(to, "SELECT count(*) AS words FROM vehicle_words")).toEqual([{ words: 0 }]);
  });

  test("needs a database to copy, which it does not make", async () => {
    const from = place.path("nothing.db");
    expect(await place.run("copy", "--from", `sqlite:${from}`, "--to", `sqlite:${place.path("none.db")}`)).toEqual({
      code: 1,
      out: "",
      err: `vehicle-inventory: --from: there is no database ${from}\n`,
    });
    expect([from, place.path("none.db")].map((file) => existsSync(file))).toEqual([false, false]);
  });

  test("ends with the whole error where something is broken that nobody expects", async () => {
    const broken = testCommands();
    alter(
      broken.database,
      "CREATE TRIGGER refused BEFORE INSERT ON vehicle_words BEGIN SELECT RAISE(ABORT, 'a defect'); END",
    );
    const { code, err } = await place.run("copy", "--from", FROM, "--to", `sqlite:${broken.database}`);
    expect([code, err]).toEqual([1, expect.stringMatching(/a defect[\s\S]*\n +at /)]);
    expect(err).not.toContain("warning");
    const heard = (): void => {
      throw new Error("nobody listens");
    };
    const copying = () => run(["copy", "--from", FROM, "--to", `sqlite:${place.path("unheard.db")}`]);
    expect((await runPart(copying, { heard })).err).toMatch(/vehicle-inventory: Error: nobody listens\n +at /);
  });
});

/** A table of PostgreSQL takes nothing more, which is found when a change is to be kept. */
const FULL = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$`;
const fullAt = (table: string): string =>
  `CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
   FOR EACH ROW EXECUTE FUNCTION refuse()`;

for (const engine of ENGINES.filter(({ name }) => name === "PostgreSQL")) {
  /** A migrated database some of whose tables take nothing more. */
  const fullDatabase = async (...tables: readonly string[]): Promise<string> => {
    const url = await engine.migratedUrl();
    const target = connect(url);
    await target.migrate(async (run) => {
      await run(FULL);
      for (const table of tables) await run(fullAt(table));
    });
    await target.close();
    return url;
  };

  test("a copy whose words of vehicles cannot all be made is complete, and a warning says who makes them", async () => {
    const { code, out, err } = await place.run("copy", "--from", FROM, "--to", await fullDatabase("vehicle_words"));
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^vehicles +5 {2}[0-9a-f]{64}$/m) });
    expect(out).toContain("Copied and verified in ");
    expect(err).toMatch(/^warning: .*; start the service on the target, or run reindex there, to make the others$/m);
    expect(err).not.toContain("    at ");
  });

  test("a database that takes nothing more ends a command in one line that names it", async () => {
    const url = await fullDatabase("vehicles", "api_keys");
    const copied = await place.run("copy", "--from", FROM, "--to", url);
    expect([copied.code, copied.out]).toEqual([1, ""]);
    const created = await place.runWith(
      { DATABASE_URL: url },
      ..."keys create --name a --app-type web --app-id b".split(" "),
    );
    expect([created.code, created.out]).toEqual([1, ""]);
    for (const { err } of [copied, created])
      expect(err).toMatch(
        /^(?:rows \d+%\n)*vehicle-inventory: cannot use the database postgres:[^\n]*no space left[^\n]*\n$/,
      );
  });
}
