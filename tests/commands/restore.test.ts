import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { restore } from "../../adapters/sql/sqlite/restore.ts";
import { PROGRAM } from "../support/executable.ts";
import { inParallel } from "../support/parallel.ts";
import { alter, contentOf, rowsOf, TEST_TIMEOUT_MS, type TestProgram, testProgram } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const source = testProgram();
/** An intact backup of a different database. */
const BACKUP = source.path("copy.db");
/** A database as a stopped service leaves it. */
const CLOSED = testProgram().database;
const PAGE = 4096;

beforeAll(async () => {
  await Promise.all([
    source.run("seed", "--dealers", "5", "--vehicles", "1000", "--seed", "5"),
    source.runWith({ DATABASE_URL: `sqlite:${CLOSED}` }, "seed", "--dealers", "2", "--vehicles", "50"),
  ]);
  await source.run("backup", BACKUP);
}, TEST_TIMEOUT_MS);

/** A folder with its own database and the backup beside it. */
const withDatabase = (): TestProgram => {
  const place = testProgram();
  copyFileSync(CLOSED, place.database);
  copyFileSync(BACKUP, place.path("copy.db"));
  return place;
};

const KEPT = /^inventory\.db\.before-restore-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/** Every file of the folder with its content, to check that nothing changed. */
const filesOf = ({ folder, path }: TestProgram): Record<string, unknown> =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, Bun.hash(statSync(path(name)).isFile() ? readFileSync(path(name)) : "")]),
  );

describe("restore", () => {
  test("puts the backup in the place of the database, keeps that one beside it, and says so", async () => {
    const place = withDatabase();
    chmodSync(place.database, 0o640);
    const before = contentOf(place.database);
    const { code, out, err } = await place.run("restore", "copy.db");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [kept = "", ...others] = readdirSync(place.folder).filter((name) => KEPT.test(name));
    expect(others).toEqual([]);
    expect(out).toBe(
      `Restored ${place.database} from copy.db.\nThe database that was there is kept as ${place.path(kept)}.\n`,
    );
    expect(readdirSync(place.folder).sort()).toEqual(["copy.db", "inventory.db", kept]);
    expect(contentOf(place.database)).toEqual(contentOf(BACKUP));
    expect(contentOf(place.path(kept))).toEqual(before);
    expect(statSync(place.database).mode & 0o777).toBe(0o600);

    expect(await place.run("restore", kept)).toMatchObject({ code: 0 });
    expect(contentOf(place.database)).toEqual(before);
  });

  test("makes a database where there is none, in a folder that is not there yet", async () => {
    const place = testProgram();
    copyFileSync(BACKUP, place.path("copy.db"));
    chmodSync(place.path("copy.db"), 0o400);
    const database = place.path("data/inventory.db");
    const ran = await place.runWith({ DATABASE_URL: `sqlite:${database}` }, "restore", "copy.db");
    expect(ran).toEqual({ code: 0, out: `Restored ${database} from copy.db.\n`, err: "" });
    expect(readdirSync(place.path("data"))).toEqual(["inventory.db"]);
    expect(contentOf(database)).toEqual(contentOf(BACKUP));
    expect(statSync(database).mode & 0o777).toBe(0o600);
  });

  test("follows a link to where the database is", async () => {
    const place = withDatabase();
    mkdirSync(place.path("disk"));
    renameSync(place.database, place.path("disk/real.db"));
    symlinkSync(place.path("disk/real.db"), place.database);
    expect(await place.run("restore", "copy.db")).toMatchObject({ code: 0 });
    expect(contentOf(place.path("disk/real.db"))).toEqual(contentOf(BACKUP));
    expect(readdirSync(place.path("disk")).length).toBe(2);
  });

  test("takes in what a crash has left in the log of the database it keeps", async () => {
    const place = withDatabase();
    const serving = await place.serve();
    for (const file of ["inventory.db", "inventory.db-wal"])
      copyFileSync(place.path(file), place.path(`crashed-${file}`));
    await serving.stop();
    const crashed = place.path("crashed-inventory.db");
    expect(statSync(`${crashed}-wal`).size).toBeGreaterThan(0);
    expect(await place.runWith({ DATABASE_URL: `sqlite:${crashed}` }, "restore", "copy.db")).toMatchObject({ code: 0 });
    const kept =
      readdirSync(place.folder).find((name) => name.startsWith("crashed-inventory.db.before-restore-")) ?? "";
    expect(rowsOf(place.path(kept), "SELECT name FROM api_keys")).toEqual([{ name: "First super-admin key" }]);
  });
});

/** The cases that restore refuses: how the file or the folder gets there, and the words of the refusal. */
const REFUSALS: readonly {
  readonly about: string;
  readonly make: (place: TestProgram) => void;
  readonly words: string;
}[] = [
  {
    about: "a file that is not there",
    make: ({ path }) => renameSync(path("copy.db"), path("other")),
    words: "there is no file copy.db",
  },
  {
    about: "a text",
    make: ({ path }) => writeFileSync(path("copy.db"), "Dear diary"),
    words: "damaged, or not a SQLite database",
  },
  {
    about: "an empty file",
    make: ({ path }) => writeFileSync(path("copy.db"), ""),
    words: "not a database of this service",
  },
  {
    about: "a file cut short",
    make: ({ path }) => writeFileSync(path("copy.db"), readFileSync(BACKUP).subarray(0, 30 * PAGE)),
    words: "it is damaged",
  },
  {
    about: "a file with damaged pages",
    make: ({ path }) => writeFileSync(path("copy.db"), readFileSync(BACKUP).fill(0xa5, 20 * PAGE, 50 * PAGE)),
    words: "it is damaged",
  },
  {
    about: "rows that belong to nothing",
    make: ({ path }) =>
      alter(path("copy.db"), "PRAGMA foreign_keys = OFF; UPDATE vehicles SET dealer_id = 77 WHERE id = 1"),
    words: "it is damaged: rows of vehicles belong to nothing",
  },
  {
    about: "another program's database",
    make: ({ path }) => {
      renameSync(path("copy.db"), path("other"));
      alter(path("copy.db"), "CREATE TABLE songs (title TEXT)");
    },
    words: "not a database of this service",
  },
  {
    about: "another program's database with a ledger of its own",
    make: ({ path }) => {
      renameSync(path("copy.db"), path("other"));
      alter(
        path("copy.db"),
        "CREATE TABLE schema_migrations (version TEXT); INSERT INTO schema_migrations VALUES ('1')",
      );
    },
    words: "not a database of this service",
  },
  {
    about: "a database that lacks a part",
    make: ({ path }) => alter(path("copy.db"), "DROP TRIGGER vehicle_inserted"),
    words: "not a database of this service",
  },
  {
    about: "a database of a newer version",
    make: ({ path }) => alter(path("copy.db"), "INSERT INTO schema_migrations VALUES ('9999-future')"),
    words: "made by a newer version of this program (it has 9999-future)",
  },
  {
    about: "a file that was not closed",
    make: ({ path }) => writeFileSync(path("copy.db-wal"), "unwritten"),
    words: "copy.db is in use, or was not closed",
  },
  {
    about: "the database itself",
    make: ({ path, database }) => {
      renameSync(path("copy.db"), path("other"));
      symlinkSync(database, path("copy.db"));
    },
    words: "copy.db is the database itself",
  },
  {
    about: "a database too damaged to tell whether it is in use",
    make: ({ database }) => writeFileSync(database, readFileSync(database).fill(0xa5, 0, PAGE)),
    words: "too damaged to tell whether it is in use",
  },
  {
    about: "a log left by a database that is gone",
    make: ({ database }) => {
      renameSync(database, `${database}-gone`);
      writeFileSync(`${database}-wal`, "somebody else's");
    },
    words: "inventory.db-wal belongs to a database that is gone",
  },
];

describe("restore refuses, with no file changed:", () => {
  const results = new Map<string, { code: number; out: string; err: string; before: unknown; after: unknown }>();

  beforeAll(async () => {
    await inParallel(REFUSALS, async ({ about, make }) => {
      const place = withDatabase();
      make(place);
      const before = filesOf(place);
      const ran = await place.run("restore", "copy.db");
      results.set(about, { ...ran, before, after: filesOf(place) });
    });
  }, TEST_TIMEOUT_MS);

  for (const { about, words } of REFUSALS)
    test(about, () => {
      const { code, out, err, before, after } = results.get(about) ?? {
        code: -1,
        err: "",
        out: "",
        before: 0,
        after: 0,
      };
      expect({ code, out, lines: err.split("\n").length }).toEqual({ code: 1, out: "", lines: 2 });
      expect(err).toContain(words);
      expect(after).toEqual(before);
    });

  test("a folder, and a pipe, which has no end", async () => {
    const place = withDatabase();
    const before = filesOf(place);
    mkdirSync(place.path("folder"));
    expect(Bun.spawnSync(["mkfifo", place.path("pipe")]).exitCode).toBe(0);
    for (const name of ["folder", "pipe"]) {
      expect(await place.run("restore", name)).toEqual({
        code: 1,
        out: "",
        err: `vehicle-inventory: ${name} is not a file; restore from a file that the command backup wrote\n`,
      });
      rmSync(place.path(name), { recursive: true });
    }
    expect(filesOf(place)).toEqual(before);
  });

  test("a database that the service has open, which goes on as before", async () => {
    const place = withDatabase();
    const serving = await place.serve();
    const before = filesOf(place);
    const { code, err } = await place.run("restore", "copy.db");
    expect(code).toBe(1);
    expect(err).toBe(`vehicle-inventory: ${place.database} is in use; stop the service, then restore\n`);
    expect(Object.keys(filesOf(place))).toEqual(Object.keys(before));
    expect((await fetch(`${serving.url}/health/ready`)).status).toBe(200);
    expect(await serving.stop()).toMatchObject({ code: 0 });
  });
});

describe("restore that fails on its way", () => {
  test("leaves the database as it was when that cannot be kept", async () => {
    const place = withDatabase();
    const before = contentOf(place.database);
    writeFileSync(`${place.database}.taken`, "precious");
    expect(() => restore(place.path("copy.db"), place.database, "taken")).toThrow("EEXIST");
    expect(() => restore(place.path("copy.db"), place.database, "no/folder")).toThrow("ENOENT");
    expect(contentOf(place.database)).toEqual(before);
    expect(readFileSync(`${place.database}.taken`, "utf8")).toBe("precious");
    expect(readdirSync(place.folder).sort()).toEqual(["copy.db", "inventory.db", "inventory.db.taken"]);
  });

  test("and is killed leaves a partial file, which the next one takes away, and nothing that is not its own", async () => {
    const place = withDatabase();
    const gone = Bun.spawn(["true"]);
    await gone.exited;
    const abandoned = [`.${gone.pid}-0123abcd.partial`, `.${gone.pid}-0123abcd.partial-wal`, ".0123abcd.partial"];
    const others = [`.${process.pid}-0123abcd.partial`, ".old.partial", ".partial", "-notes"];
    for (const name of [...abandoned, ...others]) writeFileSync(`${place.database}${name}`, "half of a database");
    expect(await place.run("restore", "copy.db")).toMatchObject({ code: 0 });
    const left = readdirSync(place.folder).filter((name) => !KEPT.test(name));
    expect(left.sort()).toEqual(["copy.db", "inventory.db", ...others.map((name) => `inventory.db${name}`)].sort());
    expect(contentOf(place.database)).toEqual(contentOf(BACKUP));
  });

  test("a restore that is killed at its work, and then repeated, leaves nothing behind", async () => {
    const place = withDatabase();
    for (let round = 0; round < 5; round++) {
      const child = Bun.spawn([...PROGRAM, "restore", "copy.db"], {
        cwd: place.folder,
        env: { PATH: process.env.PATH, TMPDIR: place.folder, DATABASE_URL: `sqlite:${place.database}` },
        stdout: "ignore",
        stderr: "ignore",
      });
      const isThere = (): boolean => readdirSync(place.folder).some((name) => name.includes(".partial"));
      while (child.exitCode === null && !isThere()) await new Promise((resume) => setImmediate(resume));
      child.kill("SIGKILL");
      await child.exited;
    }
    expect(await place.run("restore", "copy.db")).toMatchObject({ code: 0 });
    expect(readdirSync(place.folder).filter((name) => name.includes(".partial"))).toEqual([]);
  });
});
