import { writeSync } from "node:fs";
import Database from "better-sqlite3";
import { readerOf } from "../../core/imports/file/reader.ts";
import { isFault, scanFile } from "../../core/imports/file/scan.ts";
import { type SearchedVehicle, vehicleWords } from "../../core/vehicles/vehicle-words.ts";

/**
 * The minimum cost of an import and an export: a hand-written loop over the same file, parser, rows and schema, without
 * any checks. It runs as a separate program and prints the CPU seconds of its loop on standard error.
 */
const [task = "", databaseFile = "", dealer = "", sourceFile = "", csvFile = ""] = process.argv.slice(2);

/** The number of rows in the service's transactions, and in the pieces of its answers. */
const BATCH = 100;
const PIECE = 65_536;

type Stored = Record<string, string | number | null>;

interface Exported {
  readonly document: string;
  readonly images: string | null;
}

const database = new Database(databaseFile);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.pragma("foreign_keys = ON");

const inserting = (table: string, columns: readonly string[]) =>
  database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.map((name) => `@${name}`)})`);

const printCpuSeconds = async (work: () => Promise<void>): Promise<void> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  process.stderr.write(`${(user + system) / 1e6}\n`);
};

/** Writes the words of vehicles into a table and into an index over all dealers, to which many are added at once. */
const wordsWriter = () => {
  const add = database.prepare("INSERT INTO vehicle_words (vehicle_id, dealer_id, words) VALUES (?, ?, ?)");
  const listed = "SELECT value ->> 0, value ->> 1 FROM json_each(?)";
  const index = database.prepare(`INSERT INTO vehicle_index (rowid, words) ${listed}`);
  const settle = database.prepare(
    "DELETE FROM vehicle_words_fresh WHERE vehicle_id IN (SELECT value ->> 0 FROM json_each(?))",
  );
  const merge = database.prepare("INSERT INTO vehicle_index (vehicle_index, rank) VALUES ('merge', 32)");
  return (vehicles: readonly Stored[]): void => {
    const made = vehicles.map((vehicle) => [vehicle.id, vehicleWords(vehicle as unknown as SearchedVehicle)] as const);
    for (const [id, words] of made) add.run(id, dealer, words);
    const rows = JSON.stringify(made);
    for (const statement of [index, settle]) statement.run(rows);
    merge.run();
  };
};

/**
 * Writes the same rows as the service, the search words, and audit entries whose `before` and `after` are made from the
 * records again.
 */
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
  const writeWords = wordsWriter();
  const images = entries.map(({ after }) => JSON.parse(String(after)) as object);
  const bytes = await Bun.file(csvFile).bytes();
  const scan = scanFile({ format: "csv" });
  const fault = scan.push(bytes);
  const found = fault ?? scan.end();
  if (isFault(found)) throw new Error(found.message);

  await printCpuSeconds(async () => {
    const reader = readerOf(found);
    let done = 0;
    let written = 0;
    const commit = (): void => {
      writeWords(vehicles.slice(written, done));
      written = done;
      database.exec("COMMIT");
    };
    const write = (rows: ReturnType<typeof reader.push>): void => {
      for (const _row of rows) {
        if (written === done) database.exec("BEGIN IMMEDIATE");
        insertVehicle.run(vehicles[done]);
        insertEntry.run({ ...entries[done], after: JSON.stringify(images[done]), import_id: null });
        done++;
        if (done - written === BATCH) commit();
      }
    };
    for (let from = 0; from < bytes.length; from += PIECE) write(reader.push(bytes.subarray(from, from + PIECE)));
    write(reader.end());
    if (written < done) commit();
    if (done !== vehicles.length) throw new Error(`${done} rows for ${vehicles.length} vehicles`);
  });
};

/** The error if the reader of standard output has not read the earlier output yet. */
const WOULD_BLOCK = "EAGAIN";
const PAUSE_MS = 1;

const writeAll = (bytes: Uint8Array): void => {
  for (let from = 0; from < bytes.length; )
    try {
      from += writeSync(process.stdout.fd, bytes, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== WOULD_BLOCK) throw error;
      Bun.sleepSync(PAUSE_MS);
    }
};

/**
 * Reads the documents of a dealer's vehicles and the addresses of their images, and writes one vehicle on each line of
 * standard output.
 */
const exportAll = async (): Promise<void> => {
  const statement = database.prepare(
    `SELECT document, (SELECT string_agg(image_url, ' ' ORDER BY display_order, id) FROM vehicle_images
      WHERE vehicle_id = documents.id) AS images FROM vehicle_documents AS documents WHERE dealer_id = ? ORDER BY id`,
  );
  await printCpuSeconds(async () => {
    let piece = "";
    for (const { document, images } of statement.iterate(dealer) as IterableIterator<Exported>) {
      piece += `${document.slice(0, -1)},"images":${JSON.stringify(images)}}\n`;
      if (piece.length < PIECE) continue;
      writeAll(Buffer.from(piece));
      piece = "";
    }
    writeAll(Buffer.from(piece));
  });
};

await { insert: insertAll, export: exportAll }[task as "insert" | "export"]();
database.close();
