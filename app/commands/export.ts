import { once } from "node:events";
import { open, rm } from "node:fs/promises";
import { Argument, type Command } from "commander";
import { OPERATOR } from "../../core/access/principal.ts";
import { EXPORT_FORMATS } from "../../core/export/export-file.ts";
import { VehicleExportQuery } from "../../core/export/exports.ts";
import { validator } from "../../core/validation.ts";
import { STATUSES } from "../../core/vehicles/vehicle.ts";
import { withCore } from "./database.ts";
import { CommandError } from "./exit.ts";
import { checkedChoiceOption, choiceOption, numberOption } from "./options.ts";
import { resultOf } from "./outcome.ts";
import { note } from "./output.ts";
import { type Progress, showProgress } from "./progress.ts";

interface ExportOptions {
  readonly dealer?: number;
  readonly status?: readonly string[];
  readonly format?: string;
  readonly spreadsheet?: true;
}

/** The destination of an export. */
interface Target {
  write(text: string): Promise<unknown>;
  /** Ends the file, complete or incomplete. */
  end(isWhole: boolean): Promise<void>;
}

const STANDARD_OUTPUT = "-";

const standardOutput: Target = {
  write: async (text) => process.stdout.write(text) || once(process.stdout, "drain"),
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
    write: (text) => handle.appendFile(text),
    async end(isWhole) {
      await handle.close();
      if (!isWhole) await rm(file, { force: true });
    },
  };
};

const exportQuery = validator(VehicleExportQuery);

const exportVehicles = async (file: string, { dealer, ...options }: ExportOptions): Promise<void> => {
  const query = resultOf(exportQuery.parse({ ...options, ...(dealer !== undefined && { dealer_id: dealer }) }));
  await withCore("existing", async ({ exports, vehicles }) => {
    const { format: _, spreadsheet: __, ...filters } = query;
    const { total } = resultOf(await vehicles.list(OPERATOR, { ...filters, limit: 1 }));
    const { heading, lines } = resultOf(exports.vehicles(OPERATOR, query));
    const target = file === STANDARD_OUTPUT ? standardOutput : await newFile(file);
    let progress: Progress | null = null;
    let written = 0;
    let isWhole = false;
    try {
      if (total > 0 && (file !== STANDARD_OUTPUT || !process.stdout.isTTY)) progress = showProgress("vehicles", total);
      await target.write(heading);
      for (const read of lines) {
        const texts = await read();
        written += texts.length;
        await target.write(texts.join(""));
        progress?.reach(written);
      }
      isWhole = true;
    } finally {
      progress?.end();
      await target.end(isWhole);
    }
    note(`Exported ${written} ${written === 1 ? "vehicle" : "vehicles"}.`);
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
    .addOption(choiceOption("--format <word>", "the format of the file; default: csv", EXPORT_FORMATS))
    .option(
      "--spreadsheet",
      "put an apostrophe before texts that a spreadsheet would take for formulas; do not import such a file",
    )
    .action(exportVehicles);
};
