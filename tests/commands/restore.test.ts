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
import {
  alter,
  contentOf,
  inThisProcess,
  migratedProgram,
  rowsOf,
  TEST_TIMEOUT_MS,
  type TestProgram,
  testCommands,
  testProgram,
} from "../support/program.ts";
import { refusalOf } from "../support/refusal.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const source = testCommands();
/** An intact backup of a different database. */
const BACKUP = source.path("copy.db");
/** A database as a stopped service leaves it. */
const CLOSED = migratedProgram().database;
const PAGE = 4096;

beforeAll(async () => {
  await Promise.all([
    source.run("seed", "--dealers", "5", "--vehicles", "60", "--seed", "5", "--no-images"),
    source.runWith({ DATABASE_URL: `sqlite:${CLOSED}` }, "seed", "--dealers", "2", "--vehicles", "50", "--no-images"),
  ]);
  await source.run("backup", BACKUP);
}, TEST_TIMEOUT_MS);

/** A folder with its own database and the backup beside it. */
const withDatabase = (): TestProgram => {
  const program = inThisProcess(testProgram());
  copyFileSync(CLOSED, program.database);
  copyFileSync(BACKUP, program.path("copy.db"));
  return program;
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
  test("puts the backup in the place of the database, keeps the former one beside it, and says so", async () => {
    const program = withDatabase();
    chmodSync(program.database, 0o640);
    const before = contentOf(program.database);
    const { code, out, err } = await program.run("restore", program.path("copy.db"));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [kept = "", ...others] = readdirSync(program.folder).filter((name) => KEPT.test(name));
    expect(others).toEqual([]);
    expect(out).toBe(
      `Restored ${program.database} from ${program.path("copy.db")}.\nThe database that was there is kept as ${program.path(kept)}.\n`,
    );
    expect(readdirSync(program.folder).sort()).toEqual(["copy.db", "inventory.db", kept]);
    expect(contentOf(program.database)).toEqual(contentOf(BACKUP));
    expect(contentOf(program.path(kept))).toEqual(before);
    // Cursors of the change feed count changes that the backup does not have.
    const numbering = (file: string) => rowsOf(file, "SELECT name FROM change_numbering");
    expect(numbering(program.database)).not.toEqual(numbering(BACKUP));
    expect(statSync(program.database).mode & 0o777).toBe(0o600);

    expect(await program.run("restore", program.path(kept))).toMatchObject({ code: 0 });
    expect(contentOf(program.database)).toEqual(before);
  });

  test("creates a missing database, in a missing folder", async () => {
    const program = inThisProcess(testProgram());
    copyFileSync(BACKUP, program.path("copy.db"));
    chmodSync(program.path("copy.db"), 0o400);
    const database = program.path("data/inventory.db");
    const ran = await program.runWith({ DATABASE_URL: `sqlite:${database}` }, "restore", program.path("copy.db"));
    expect(ran).toEqual({ code: 0, out: `Restored ${database} from ${program.path("copy.db")}.\n`, err: "" });
    expect(readdirSync(program.path("data"))).toEqual(["inventory.db"]);
    expect(contentOf(database)).toEqual(contentOf(BACKUP));
    expect(statSync(database).mode & 0o777).toBe(0o600);
  });

  test("follows a link to the database", async () => {
    const program = withDatabase();
    mkdirSync(program.path("disk"));
    renameSync(program.database, program.path("disk/real.db"));
    symlinkSync(program.path("disk/real.db"), program.database);
    expect(await program.run("restore", program.path("copy.db"))).toMatchObject({ code: 0 });
    expect(contentOf(program.path("disk/real.db"))).toEqual(contentOf(BACKUP));
    expect(readdirSync(program.path("disk")).length).toBe(2);
  });

  test("includes in the kept database what a crash left in its log", async () => {
    const program = withDatabase();
    const serving = await program.serve();
    for (const file of ["inventory.db", "inventory.db-wal"])
      copyFileSync(program.path(file), program.path(`crashed-${file}`));
    await serving.stop();
    const crashed = program.path("crashed-inventory.db");
    expect(statSync(`${crashed}-wal`).size).toBeGreaterThan(0);
    const database = { DATABASE_URL: `sqlite:${crashed}` };
    expect(await program.runWith(database, "restore", program.path("copy.db"))).toMatchObject({ code: 0 });
    const kept =
      readdirSync(program.folder).find((name) => name.startsWith("crashed-inventory.db.before-restore-")) ?? "";
    expect(rowsOf(program.path(kept), "SELECT name FROM api_keys")).toEqual([{ name: "First super-admin key" }]);
  });
});

/** Cases that restore refuses: how to make the file or folder, and words of the refusal. */
const REFUSALS: readonly {
  readonly about: string;
  readonly make: (program: TestProgram) => void;
  readonly words: string;
}[] = [
  {
    about: "a missing file",
    make: ({ path }) => renameSync(path("copy.db"), path("other")),
    words: "there is no file copy.db",
  },
  {
    about: "a text file",
    make: ({ path }) => writeFileSync(path("copy.db"), "Dear diary"),
    words: "damaged, or not a SQLite database",
  },
  {
    about: "an empty file",
    make: ({ path }) => writeFileSync(path("copy.db"), ""),
    words: "not a database of this service",
  },
  {
    about: "a file that was cut off",
    make: ({ path }) => writeFileSync(path("copy.db"), readFileSync(BACKUP).subarray(0, 30 * PAGE)),
    words: "it is damaged",
  },
  {
    about: "a file with damaged pages",
    make: ({ path }) => writeFileSync(path("copy.db"), readFileSync(BACKUP).fill(0xa5, 20 * PAGE, 50 * PAGE)),
    words: "it is damaged",
  },
  {
    about: "a database with rows that belong to nothing",
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
    about: "another program's database with its own list of migrations",
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

describe("restore refuses without changing any file:", () => {
  /** Why a restore from this file of a folder is refused. */
  const refused = ({ database, path }: TestProgram, name = "copy.db") =>
    refusalOf(`sqlite:${database}`, "restore", path(name));

  for (const { about, make, words } of REFUSALS)
    test(about, async () => {
      const program = withDatabase();
      make(program);
      const before = filesOf(program);
      const { code, message } = await refused(program);
      expect({ code, lines: message.split("\n").length }).toEqual({ code: 1, lines: 1 });
      expect(message.replaceAll(`${program.folder}/`, "")).toContain(words);
      expect(filesOf(program)).toEqual(before);
    });

  test("a folder, and a pipe without end", async () => {
    const program = withDatabase();
    const before = filesOf(program);
    mkdirSync(program.path("folder"));
    expect(Bun.spawnSync(["mkfifo", program.path("pipe")]).exitCode).toBe(0);
    for (const name of ["folder", "pipe"]) {
      expect(await refused(program, name)).toEqual({
        code: 1,
        message: `${program.path(name)} is not a file; restore from a file that the command backup wrote`,
      });
      rmSync(program.path(name), { recursive: true });
    }
    expect(filesOf(program)).toEqual(before);
  });

  test("a database that the service has open, which continues as before", async () => {
    const program = withDatabase();
    const serving = await program.serve();
    const before = filesOf(program);
    const { code, err } = await program.run("restore", program.path("copy.db"));
    expect(code).toBe(1);
    expect(err).toBe(`vehicle-inventory: ${program.database} is in use; stop the service, then restore\n`);
    expect(Object.keys(filesOf(program))).toEqual(Object.keys(before));
    expect((await fetch(`${serving.url}/health/ready`)).status).toBe(200);
    expect(await serving.stop()).toMatchObject({ code: 0 });
  });
});

describe("restore that fails halfway", () => {
  test("leaves the database unchanged if it cannot be kept", async () => {
    const program = withDatabase();
    const before = contentOf(program.database);
    writeFileSync(`${program.database}.taken`, "precious");
    expect(() => restore(program.path("copy.db"), program.database, "taken")).toThrow("EEXIST");
    expect(() => restore(program.path("copy.db"), program.database, "no/folder")).toThrow("ENOENT");
    expect(contentOf(program.database)).toEqual(before);
    expect(readFileSync(`${program.database}.taken`, "utf8")).toBe("precious");
    expect(readdirSync(program.folder).sort()).toEqual(["copy.db", "inventory.db", "inventory.db.taken"]);
  });

  test("because it was killed leaves a partial file, which the next restore deletes, and it deletes no other file", async () => {
    const program = withDatabase();
    const gone = Bun.spawn(["true"]);
    await gone.exited;
    const abandoned = [`.${gone.pid}-0123abcd.partial`, `.${gone.pid}-0123abcd.partial-wal`, ".0123abcd.partial"];
    const others = [`.${process.pid}-0123abcd.partial`, ".old.partial", ".partial", "-notes"];
    for (const name of [...abandoned, ...others]) writeFileSync(`${program.database}${name}`, "half of a database");
    expect(await program.run("restore", program.path("copy.db"))).toMatchObject({ code: 0 });
    const left = readdirSync(program.folder).filter((name) => !KEPT.test(name));
    expect(left.sort()).toEqual(["copy.db", "inventory.db", ...others.map((name) => `inventory.db${name}`)].sort());
    expect(contentOf(program.database)).toEqual(contentOf(BACKUP));
  });

  test("because it was killed leaves nothing behind once it is repeated", async () => {
    const program = withDatabase();
    for (let round = 0; round < 5; round++) {
      const child = Bun.spawn([...PROGRAM, "restore", "copy.db"], {
        cwd: program.folder,
        env: { PATH: process.env.PATH, TMPDIR: program.folder, DATABASE_URL: `sqlite:${program.database}` },
        stdout: "ignore",
        stderr: "ignore",
      });
      const isThere = (): boolean => readdirSync(program.folder).some((name) => name.includes(".partial"));
      while (child.exitCode === null && !isThere()) await new Promise((resume) => setImmediate(resume));
      child.kill("SIGKILL");
      await child.exited;
    }
    expect(await program.run("restore", program.path("copy.db"))).toMatchObject({ code: 0 });
    expect(readdirSync(program.folder).filter((name) => name.includes(".partial"))).toEqual([]);
  });
});
