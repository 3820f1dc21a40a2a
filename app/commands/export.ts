import { once } from "node:events";
import { open, rm } from "node:fs/promises";
import { Argument, type Command } from "commander";
import { packedSheet } from "../../adapters/http/protocol/packed-sheet.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { type VehicleExport, VehicleExportQuery } from "../../core/export/exports.ts";
import { VEHICLE_FORMATS } from "../../core/export/vehicle-file.ts";
import { validator } from "../../core/validation.ts";
import { STATUSES } from "../../core/vehicles/vehicle.ts";
import { withCore } from "./database.ts";
import { CommandError } from "./exit.ts";
import { checkedChoiceOption, choiceOption, numberOption } from "./options.ts";
import { resultOf } from "./outcome.ts";
import { note } from "./output.ts";
import { type Progress, showProgress } from "./progress.ts";
import { plural } from "./table.ts";

interface ExportOptions {
  readonly dealer?: number;
  readonly status?: readonly string[];
  readonly format?: string;
  readonly spreadsheet?: true;
}

/** The destination of an export. */
interface Target {
  write(bytes: Uint8Array): Promise<unknown>;
  /** Ends the file, complete or incomplete. */
  end(isWhole: boolean): Promise<void>;
}

const STANDARD_OUTPUT = "-";

const standardOutput: Target = {
  write: async (bytes) => process.stdout.write(bytes) || once(process.stdout, "drain"),
  end: async () => {},
};

/** A new file. It is removed if it was not written completely. */
const newFile = async (file: string): Promise<Target> => {
  const handle = await open(file, "wx").catch((error: Error & { readonly code?: string }) => {
    throw new CommandError(
      error.code === "EEXIST" ? `there is a file ${file} already` : `${file} cannot be written: ${error.message}`,
    );
  });
  return {
    write: (bytes) => handle.appendFile(bytes),
    async end(isWhole) {
      await handle.close();
      if (!isWhole) await rm(file, { force: true });
    },
  };
};

const exportQuery = validator(VehicleExportQuery);

/** The name of the sheet of a workbook. */
const SHEET = "vehicles";

/** The bytes of an export. `reached` is told how many more vehicles each piece has. */
async function* piecesOf(
  { heading, lines, end }: VehicleExport,
  reached: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(heading);
  for (const read of lines) {
    const texts = await read();
    yield Buffer.from(texts.join(""));
    reached(texts.length);
  }
  yield Buffer.from(end);
}

const exportVehicles = async (file: string, { dealer, ...options }: ExportOptions): Promise<void> => {
  const query = resultOf(exportQuery.parse({ ...options, ...(dealer !== undefined && { dealer_id: dealer }) }));
  await withCore("existing", async ({ exports, vehicles }) => {
    const { format: _, spreadsheet: __, ...filters } = query;
    const { total } = resultOf(await vehicles.list(OPERATOR, { ...filters, limit: 1 }));
    const exported = resultOf(exports.vehicles(OPERATOR, query));
    const target = file === STANDARD_OUTPUT ? standardOutput : await newFile(file);
    let progress: Progress | null = null;
    let written = 0;
    let isWhole = false;
    try {
      if (total > 0 && (file !== STANDARD_OUTPUT || !process.stdout.isTTY)) progress = showProgress("vehicles", total);
      const pieces = piecesOf(exported, (count) => {
        written += count;
        progress?.reach(written);
      });
      for await (const piece of exported.format === "xlsx" ? packedSheet(SHEET)(pieces) : pieces)
        await target.write(piece);
      isWhole = true;
    } finally {
      progress?.end();
      await target.end(isWhole);
    }
    note(`Exported ${plural(written, "vehicle")}.`);
  });
};

/** Adds the command `export`. */
export const addExport = (program: Command): void => {
  program
    .command("export")
    .description("export vehicles as of now to a file that can be imported; the service may be running")
    .addArgument(
      new Argument("[file]", "the file to write, which must not exist yet").default(STANDARD_OUTPUT, "standard output"),
    )
    .addOption(numberOption("--dealer <number>", "only vehicles of the dealer with this id"))
    .addOption(checkedChoiceOption("--status <words...>", "only vehicles with one of these statuses", STATUSES))
    .addOption(choiceOption("--format <word>", "the format of the file; default: csv", VEHICLE_FORMATS))
    .option(
      "--spreadsheet",
      "put an apostrophe before texts that a spreadsheet would take for formulas; do not import such a file",
    )
    .action(exportVehicles);
};
