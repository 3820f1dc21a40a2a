import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { WORDS_WITH_ENDS } from "../../core/search/endings.ts";
import { ANSWERING, connect, type TestEngine } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { type RunningProgram, TEST_TIMEOUT_MS, testCommands } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const VEHICLES = 40;
const ALL_RIGHT = `The words of ${VEHICLES} vehicles are right.
The spellings of all vehicles are right.
The daily figures of all dealers are right.
`;
const NO_FAULTS = { vehicles: VEHICLES, wrong: 0, stray: 0, misindexed: 0, wrong_spellings: 0, wrong_figures: 0 };

/** Ways to damage stored data. */
interface Corruption {
  readonly text: string;
  readonly only?: TestEngine["name"];
}

const CORRUPTIONS: readonly Corruption[] = [
  // Wrong search words of two vehicles, and none of a third.
  { text: "UPDATE vehicle_words SET words = ' gnu' WHERE vehicle_id IN (6, 7)" },
  { text: "DELETE FROM vehicle_words WHERE vehicle_id = 8" },
  // Search words of a missing vehicle.
  { text: "INSERT INTO vehicle_words (vehicle_id, dealer_id, words) VALUES (4711, 1, ' gnu')" },
  // A vehicle missing from the index.
  { text: "DELETE FROM vehicle_index WHERE rowid = 9", only: "SQLite" },
  // A missing spelling, and a wrong folded form of a make.
  {
    text: "DELETE FROM vehicle_spellings WHERE field = 'body_style' AND value = (SELECT MIN(body_style) FROM vehicles)",
  },
  { text: "UPDATE vehicles SET make_folded = 'gnu' WHERE make = (SELECT MIN(make) FROM vehicles)" },
  // A wrong daily figure.
  {
    text: `UPDATE daily_figures SET added = added + 7 WHERE dealer_id = 1
      AND day = (SELECT MIN(day) FROM daily_figures WHERE dealer_id = 1 AND added > 0)`,
  },
];

interface Listed {
  readonly vehicles: readonly { readonly id: number }[];
  readonly facets: object;
}

const alter = async (url: string, text: string): Promise<void> => {
  const db = connect(url);
  await db.migrate(async (run) => void (await run(text)));
  await db.close();
};

for (const engine of ANSWERING)
  describe(`the search words, spellings and daily figures on ${engine.name}`, () => {
    const program = testCommands();
    let url: string;
    const run = (line: string, environment: Readonly<Record<string, string>> = {}) =>
      program.runWith({ DATABASE_URL: url, ...environment }, ...line.split(" "));
    const serve = (environment: Readonly<Record<string, string>> = {}): Promise<RunningProgram> =>
      program.serve({ DATABASE_URL: url, ...environment });

    beforeAll(async () => {
      url = await engine.migratedUrl();
      expect(await run(`seed --dealers 2 --vehicles ${VEHICLES}`)).toMatchObject({ code: 0 });
    }, TEST_TIMEOUT_MS);

    test("are correct after a seed, as verify-index reports", async () => {
      expect(await run("verify-index")).toMatchObject({ code: 0, out: ALL_RIGHT });
      const { code, out } = await run("verify-index --json");
      expect([code, JSON.parse(out)]).toEqual([0, { ...NO_FAULTS, examples: [] }]);
    });

    test("are checked for every fault: verify-index counts them and exits with 1 without a repair, and reindex repairs them", async () => {
      for (const { text, only } of CORRUPTIONS) if (only === undefined || only === engine.name) await alter(url, text);
      const misindexed = engine.name === "SQLite" ? 1 : 0;
      const { code, out, err } = await run("verify-index");
      expect([code, out]).toEqual([1, ""]);
      for (const words of [
        `of ${VEHICLES} vehicles, 3 have other words than their texts, ${misindexed} are not in the index as stored, and 1 words are of none (such as `,
        "2 spellings stored wrongly (such as the ",
        "1 daily figure kept wrongly (such as added of dealer 1 on ",
        "; run the command reindex\n",
      ])
        expect(err).toContain(words);
      const counted = await run("verify-index --json");
      expect([counted.code, JSON.parse(counted.out)]).toMatchObject([
        1,
        { ...NO_FAULTS, wrong: 3, stray: 1, misindexed, wrong_spellings: 2, wrong_figures: 1 },
      ]);
      expect(await run("reindex")).toMatchObject({
        code: 0,
        out: "The words of all vehicles are made anew.\nThe spellings of all vehicles are stored anew.\nThe daily figures of all dealers are computed anew.\n",
      });
      expect(await run("verify-index")).toMatchObject({ code: 0, out: ALL_RIGHT });
    });

    test("are repaired by reindex while the service runs, which then finds every vehicle", async () => {
      const { out: key } = await run("keys create --name Reader --app-id reader --app-type desktop");
      const serving = await serve();
      const found = async (query: string): Promise<number> => {
        const answer = await fetch(`${serving.url}/api/vehicles?${query}`, { headers: { "x-api-key": key.trim() } });
        return ((await answer.json()) as { meta: { total: number } }).meta.total;
      };
      // The service itself processes changes of vehicles.
      await alter(url, "UPDATE vehicles SET condition = 'new'");
      await eventually(
        () => found("condition=NEW"),
        (total) => total === VEHICLES,
      );
      // The service makes words without this anew by itself, once a second.
      await alter(url, `UPDATE vehicle_words SET words = '${WORDS_WITH_ENDS} gnu' WHERE vehicle_id <> 7`);
      await alter(url, "DELETE FROM vehicle_spellings WHERE field = 'condition'");
      expect([await found("q=2"), await found("condition=NEW")]).not.toEqual([VEHICLES, VEHICLES]);
      expect(await run("reindex")).toMatchObject({ code: 0 });
      expect([await found("q=2"), await found("condition=NEW")]).toEqual([VEHICLES, VEHICLES]);
      expect(await run("verify-index")).toMatchObject({ code: 0 });
      expect(await serving.stop()).toMatchObject({ code: 0 });
    });

    test("are checked and repaired without search words if search is off", async () => {
      const off = { SEARCH: "off" };
      const mended =
        "The spellings of all vehicles are stored anew.\nThe daily figures of all dealers are computed anew.\n";
      await alter(url, "UPDATE vehicle_words SET words = ' gnu' WHERE vehicle_id = 7");
      expect(await run("verify-index", off)).toMatchObject({
        code: 0,
        out: "The spellings of all vehicles are right.\nThe daily figures of all dealers are right.\n",
      });
      await alter(url, "DELETE FROM vehicle_spellings WHERE field = 'body_style'");
      await alter(url, "UPDATE daily_figures SET added = added + 1");
      const { code, out } = await run("verify-index --json", off);
      expect([code, JSON.parse(out)]).toEqual([
        1,
        { wrong_spellings: expect.any(Number), wrong_figures: expect.any(Number) },
      ]);
      expect(await run("reindex", off)).toMatchObject({ code: 0, out: mended });
      expect(await run("verify-index", off)).toMatchObject({ code: 0 });
      expect(await run("verify-index")).toMatchObject({ code: 1 });
      expect(await run("reindex")).toMatchObject({ code: 0 });
    });
  });

test("a restored backup finds at once what was found when it was made, including the last changes", async () => {
  const program = testCommands();
  expect(await program.run("seed", "--dealers", "2", "--vehicles", "300", "--no-images")).toMatchObject({ code: 0 });
  const made = await program.run(..."keys create --name Reader --app-id reader --app-type desktop".split(" "));
  const headers = { "x-api-key": made.out.trim(), "content-type": "application/json" };
  const ask = async (serving: RunningProgram, path: string, change?: object): Promise<Listed> => {
    const sent = change === undefined ? {} : { method: "PUT", body: JSON.stringify(change) };
    const answer = await fetch(`${serving.url}${path}`, { headers, ...sent });
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as Listed;
  };
  const queries = ["quagga", "toyota", "20", "ford f150", "a"];
  const found = async (serving: RunningProgram) => {
    const all: unknown[][] = [];
    for (const q of queries) {
      const { vehicles } = await ask(serving, `/api/vehicles?q=${q}&limit=1000`);
      const { facets } = await ask(serving, `/api/vehicles/facets?q=${q}`);
      all.push([q, vehicles.map(({ id }) => id), facets, await ask(serving, `/api/vehicles/suggestions?q=${q}`)]);
    }
    return all;
  };

  const before = await program.serve();
  for (const id of [3, 5, 7]) await ask(before, `/api/vehicles/${id}`, { trim: "Quagga" });
  const expected = await found(before);
  expect(await program.run("backup", program.path("copy.db"))).toMatchObject({ code: 0 });
  expect(expected[0]?.slice(0, 2)).toEqual(["quagga", [7, 5, 3]]);
  await ask(before, "/api/vehicles/3", { trim: "Gnu" });
  await ask(before, "/api/vehicles/9", { trim: "Quagga" });
  expect(await before.stop()).toMatchObject({ code: 0 });

  expect(await program.run("restore", program.path("copy.db"))).toMatchObject({ code: 0 });
  expect(await program.run("verify-index")).toMatchObject({ code: 0 });
  const after = await program.serve();
  expect(await found(after)).toEqual(expected);
  expect(await ask(after, "/health/ready")).not.toHaveProperty("search");
  expect(await after.stop()).toMatchObject({ code: 0 });
});

test("neither reindex nor verify-index creates a missing database", async () => {
  const program = testCommands();
  rmSync(program.database);
  for (const command of ["reindex", "verify-index"]) {
    const { code, err } = await program.run(command);
    expect([command, code]).toEqual([command, 1]);
    expect(err).toContain(program.database);
  }
  expect(await Bun.file(program.database).exists()).toBe(false);
});
