import { closeSync, openSync, writeSync } from "node:fs";
import Database from "better-sqlite3";
import { readerOf } from "../../core/imports/file/reader.ts";
import { isFault, scanOf } from "../../core/imports/file/scan.ts";

/**
 * What an import and an export cost at least: a loop by hand over the same file, parser, rows and schema, without any
 * question asked. Started as a program of its own; prints the CPU seconds that its loop took.
 */
const [task = "", databaseFile = "", sourceFile = "", csvFile = "", dealer = ""] = process.argv.slice(2);

/** The size of the service's transactions, and of its pieces of an answer. */
const BATCH = 100;
const PIECE = 65_536;

type Stored = Record<string, string | number | null>;

const database = new Database(databaseFile);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.pragma("foreign_keys = ON");

const inserting = (table: string, columns: readonly string[]) =>
  database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.map((name) => `@${name}`)})`);

const measured = async (work: () => Promise<void>): Promise<void> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${(user + system) / 1e6}\n`);
};

/** Writes the rows that the service wrote, and the audit entries, whose images are made from the records again. */
const insertAll = async (): Promise<void> => {
  const source = new Database(sourceFile, { readonly: true });
  const vehicles = source.prepare("SELECT * FROM vehicles WHERE dealer_id = ? ORDER BY id").all(dealer) as Stored[];
  const entries = source
    .prepare("SELECT * FROM audit_entries WHERE action = 'vehicle.created' AND dealer_id = ? ORDER BY resource_id")
    .all(dealer) as Stored[];
  source.close();
  const columnsOf = (table: string) =>
    (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const insertVehicle = inserting("vehicles", columnsOf("vehicles"));
  const insertEntry = inserting(
    "audit_entries",
    columnsOf("audit_entries").filter((name) => name !== "id"),
  );
  const images = entries.map(({ after }) => JSON.parse(String(after)) as object);
  const bytes = await Bun.file(csvFile).bytes();
  const scan = scanOf({ format: "csv" });
  const fault = scan.push(bytes);
  const found = fault ?? scan.end();
  if (isFault(found)) throw new Error(found.message);

  await measured(async () => {
    const reader = readerOf(found);
    let done = 0;
    const write = (rows: ReturnType<typeof reader.push>): void => {
      for (const _row of rows) {
        if (done % BATCH === 0) database.exec(done === 0 ? "BEGIN IMMEDIATE" : "COMMIT; BEGIN IMMEDIATE");
        insertVehicle.run(vehicles[done]);
        insertEntry.run({ ...entries[done], after: JSON.stringify(images[done]), import_id: null });
        done++;
      }
    };
    for (let from = 0; from < bytes.length; from += PIECE) write(reader.push(bytes.subarray(from, from + PIECE)));
    write(reader.end());
    database.exec("COMMIT");
    if (done !== vehicles.length) throw new Error(`${done} rows for ${vehicles.length} vehicles`);
  });
};

/** Reads the documents and writes one on each line. */
const exportAll = async (): Promise<void> => {
  const statement = database.prepare("SELECT document FROM vehicle_documents ORDER BY id").pluck();
  const sink = openSync("/dev/null", "w");
  await measured(async () => {
    let piece = "";
    for (const document of statement.iterate() as IterableIterator<string>) {
      piece += `${document}\n`;
      if (piece.length < PIECE) continue;
      writeSync(sink, piece);
      piece = "";
    }
    writeSync(sink, piece);
  });
  closeSync(sink);
};

await { insert: insertAll, export: exportAll }[task as "insert" | "export"]();
database.close();
