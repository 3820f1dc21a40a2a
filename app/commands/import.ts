import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { Argument, type Command, Option } from "commander";
import { BrokenUpload } from "../../adapters/http/protocol/broken-upload.ts";
import { Problem } from "../../adapters/http/protocol/problem.ts";
import { FORMAT_TYPES, toUpload } from "../../adapters/http/protocol/upload.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { Failure } from "../../core/failure.ts";
import { SENT_FORMATS, type SentFormat } from "../../core/imports/arriving-table.ts";
import { CHARSETS } from "../../core/imports/file/file.ts";
import {
  CURRENCY_MODES,
  DATE_ORDER_MODES,
  DEALER_BY,
  DELIMITER_NAMES,
  EMPTY_CELL_MODES,
  IMAGE_MODES,
  IMPORT_MODES,
  type Import,
  ImportQuery,
  isResting,
  MATCHES,
  MERGE_MODES,
  MISSING_MODES,
  ON_ERROR,
  UNIT_MODES,
} from "../../core/imports/import.ts";
import type { Imports } from "../../core/imports/imports.ts";
import { DECIMALS } from "../../core/imports/values/reading.ts";
import { validator } from "../../core/validation.ts";
import { reasonOf } from "../database.ts";
import { withCore } from "./database.ts";
import { CommandError } from "./exit.ts";
import { countsText, failedRowLines, issueText, laterWarnings, requireSuccess } from "./import-result.ts";
import {
  checkedChoiceOption,
  choiceOption,
  fieldsOf,
  jsonOption,
  numberOption,
  type RecordOptions,
} from "./options.ts";
import { resultOf } from "./outcome.ts";
import { note, print, printJson, warn } from "./output.ts";
import { type Progress, showProgress } from "./progress.ts";

const STANDARD_INPUT = "-";
const POLL_MS = 100;
/** The number of failed rows that are printed. The others are in the portal and in errors.csv. */
const SHOWN_ROWS = 20;

interface ImportCommandOptions extends RecordOptions {
  readonly dealer?: number;
  readonly format?: SentFormat;
}

/** The options whose names differ from those of their fields. */
const OPTION_NAMES = { dealer_id: "dealer" };

const importQuery = validator(ImportQuery);

/** The bytes of a file, or of standard input. */
const bytesOf = async (file: string): Promise<AsyncIterable<Uint8Array>> => {
  if (file === STANDARD_INPUT) return Bun.stdin.stream();
  const unreadable = (reason: string) => new CommandError(`${file} cannot be read: ${reason}`);
  const handle: FileHandle = await open(file, "r").catch((error: Error & { readonly code?: string }) => {
    throw error.code === "ENOENT" ? new CommandError(`there is no file ${file}`) : unreadable(error.message);
  });
  if (!(await handle.stat()).isFile()) {
    await handle.close();
    throw unreadable("it is no file");
  }
  return handle.createReadStream();
};

/** What the options ask of the import. */
const queryOf = ({ dealer, format: _, ...options }: ImportCommandOptions): ImportQuery =>
  resultOf(
    importQuery.parse({ ...fieldsOf(options), ...(dealer !== undefined && { dealer_id: dealer }) }),
    OPTION_NAMES,
  );

/** A file to import, as people name it. */
interface NamedFile {
  readonly file: string;
  readonly format: SentFormat | undefined;
}

/** Receives these bytes of the file, and queues the import. */
const startReading = async (
  imports: Imports,
  { file, format, bytes }: NamedFile & { readonly bytes: AsyncIterable<Uint8Array> },
  query: ImportQuery,
): Promise<Import> => {
  const upload = toUpload({
    isPart: true,
    name: file === STANDARD_INPUT ? null : basename(file),
    type: format === undefined ? "" : (FORMAT_TYPES.get(format) ?? ""),
    encoding: "",
    bytes,
  });
  if (upload instanceof Problem) throw new CommandError(upload.sentence);
  const arrived = await imports.receive(OPERATOR, query, upload).catch((error: unknown) => {
    throw error instanceof BrokenUpload ? new CommandError(error.message) : error;
  });
  return resultOf(arrived instanceof Failure ? arrived : await imports.start(OPERATOR, arrived), OPTION_NAMES);
};

/** Receives the file and queues the import. A refused file is closed, too. */
const startImport = async (imports: Imports, named: NamedFile, query: ImportQuery): Promise<Import> => {
  const bytes = await bytesOf(named.file);
  try {
    return await startReading(imports, { ...named, bytes }, query);
  } finally {
    if (bytes instanceof Readable) bytes.destroy();
  }
};

/** Waits until the import is finished, and shows its progress. */
const waitUntilDone = async (imports: Imports, { id, progress: { total } }: Import): Promise<Import> => {
  let progress: Progress | null = null;
  try {
    for (;;) {
      const present: Import = resultOf(await imports.get(OPERATOR, id));
      progress ??= showProgress("rows", total);
      progress.reach(present.progress.read);
      if (isResting(present.state)) return present;
      await Bun.sleep(POLL_MS);
    }
  } finally {
    progress?.end();
  }
};

/** Prints to standard error why rows failed. */
const printFailedRows = async (imports: Imports, { id, counts }: Import): Promise<void> => {
  const { items } = resultOf(await imports.rows(OPERATOR, id, { outcome: "failed", limit: SHOWN_ROWS }));
  for (const line of failedRowLines(items, counts.failed)) note(line);
};

const importVehicles = async (file: string, options: ImportCommandOptions): Promise<void> => {
  const query = queryOf(options);
  await withCore("existing", async ({ imports, runner }) => {
    const started = await startImport(imports, { file, format: options.format }, query);
    for (const issue of started.warnings) warn(issueText(issue));
    // A service that uses this database may run the import instead, if it claims the job first.
    runner.start((error) => warn(`tried again: ${reasonOf(error)}`));
    let done: Import;
    try {
      done = await waitUntilDone(imports, started);
    } finally {
      await runner.stop();
    }
    for (const line of laterWarnings(started, done)) warn(line);
    await printFailedRows(imports, done);
    if (options.json) printJson(done);
    else print(`Import ${done.id}${done.options.dry_run ? ", a check" : ""}: ${countsText(done)}.`);
    requireSuccess(done);
  });
};

/** Adds the command `import`. */
export const addImport = (program: Command): void => {
  program
    .command("import")
    .description("create and change vehicles from a file; the service may be running")
    .addArgument(
      new Argument("<file>", "a CSV, TSV, NDJSON, JSON, XML or XLSX file, which may be gzipped; - is standard input"),
    )
    .addOption(
      numberOption(
        "--dealer <number>",
        "the id of the dealer of all vehicles, unless the file has a column for the dealer",
      ),
    )
    .addOption(
      choiceOption(
        "--mode <word>",
        "whether rows create vehicles, change them, or both; default: upsert",
        IMPORT_MODES,
      ),
    )
    .addOption(choiceOption("--match <word>", "how the vehicle of a row is found; default: auto", MATCHES))
    .addOption(
      choiceOption(
        "--on-error <word>",
        "with reject, nothing is written unless every row is valid; default: skip",
        ON_ERROR,
      ),
    )
    .option("--dry-run", "show what would happen without changing anything")
    .addOption(
      choiceOption(
        "--missing <word>",
        "what a snapshot does to vehicles that are missing from the file; default: sold",
        MISSING_MODES,
      ),
    )
    .addOption(
      numberOption(
        "--max-missing-percent <number>",
        "percentage of missing vehicles above which a snapshot needs a confirmation; default: 20",
        {
          least: 0,
          most: 100,
        },
      ),
    )
    .addOption(choiceOption("--empty <word>", "what an empty cell does to its field; default: keep", EMPTY_CELL_MODES))
    .addOption(
      choiceOption("--images <word>", "what the images of a row do to existing images; default: replace", IMAGE_MODES),
    )
    .option("--fetch-images", "the running service fetches the photos afterwards, and keeps them")
    .addOption(choiceOption("--decimal <word>", "the character before the cents of prices; default: auto", DECIMALS))
    .addOption(choiceOption("--merge <word>", "off writes over what people corrected; default: on", MERGE_MODES))
    .addOption(choiceOption("--date-order <word>", "the order of day and month; default: auto", DATE_ORDER_MODES))
    .addOption(choiceOption("--dealer-by <word>", "what the column for the dealer contains; default: code", DEALER_BY))
    .addOption(choiceOption("--units <word>", "what happens to mileages in another unit; default: convert", UNIT_MODES))
    .addOption(choiceOption("--currency <word>", "what another currency means; default: check", CURRENCY_MODES))
    .addOption(numberOption("--heading-row <number>", "the line of the heading; default: found"))
    .addOption(new Option("--sheet <name>", "the sheet of a workbook; default: the first one with a heading"))
    .addOption(
      new Option("--columns <json>", 'the fields of unknown headings: {"Their price": "price", "Notes": null}'),
    )
    .addOption(
      checkedChoiceOption("--format <word>", "the format of the file; default: from its name, or csv", SENT_FORMATS),
    )
    .addOption(choiceOption("--charset <word>", "the charset of the file; default: detected", CHARSETS))
    .addOption(choiceOption("--delimiter <word>", "the character between cells; default: detected", DELIMITER_NAMES))
    .addOption(jsonOption())
    .action(importVehicles);
};
