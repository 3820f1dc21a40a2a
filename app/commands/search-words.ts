import type { Command } from "commander";
import { type FigureMismatch, storedFigures } from "../../adapters/sql/report/stored-figures.ts";
import { vehicleSpellings } from "../../adapters/sql/search/spellings.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import {
  type Spelling,
  verifySpellings,
  verifyVehicleWords,
  type WordsCheck,
} from "../../adapters/sql/search/verification.ts";
import { searchOf } from "../config.ts";
import { withDatabase } from "./database.ts";
import { CommandError } from "./exit.ts";
import { jsonOption } from "./options.ts";
import { print, printJson } from "./output.ts";
import { withProgress } from "./progress.ts";
import { plural } from "./table.ts";

/** True if words are kept. They are not if search is switched off. */
const hasWords = (): boolean => searchOf(process.env);

const reindex = (): Promise<void> =>
  withDatabase("existing", async (db) => {
    if (hasWords()) {
      await withProgress((reached) => vehicleWordsIn(db).remake(reached));
      print("The words of all vehicles are made anew.");
    }
    await vehicleSpellings(db).remake();
    print("The spellings of all vehicles are stored anew.");
    await storedFigures(db).rebuild();
    print("The daily figures of all dealers are computed anew.");
  });

const wordFaults = ({ vehicles, wrong, stray, misindexed, examples }: WordsCheck): string[] =>
  wrong + stray + misindexed === 0
    ? []
    : [
        `of ${plural(vehicles, "vehicle")}, ${wrong} have other words than their texts, ${misindexed} are not in the index as stored, and ${stray} words are of none (such as ${examples.join(", ")})`,
      ];

const spellingFaults = (wrong: readonly Spelling[]): string[] =>
  wrong
    .slice(0, 1)
    .map(({ field, value }) => `${plural(wrong.length, "spelling")} stored wrongly (such as the ${field} ${value})`);

const figureFaults = (wrong: readonly FigureMismatch[]): string[] =>
  wrong
    .slice(0, 1)
    .map(
      ({ dealerId, day, figure, kept, right }) =>
        `${plural(wrong.length, "daily figure")} kept wrongly (such as ${figure} of dealer ${dealerId} on ${day}: ${kept}, not ${right})`,
    );

const verify = ({ json }: { readonly json?: true }): Promise<void> =>
  withDatabase("existing", async (db) => {
    const words = hasWords() ? await withProgress((reached) => verifyVehicleWords(db, reached)) : null;
    const spellings = await verifySpellings(db);
    const figures = await storedFigures(db).verify();
    const faults = [
      ...(words === null ? [] : wordFaults(words)),
      ...spellingFaults(spellings),
      ...figureFaults(figures),
    ];
    if (json) printJson({ ...words, wrong_spellings: spellings.length, wrong_figures: figures.length });
    else if (faults.length === 0) {
      if (words !== null) print(`The words of ${plural(words.vehicles, "vehicle")} are right.`);
      print("The spellings of all vehicles are right.");
      print("The daily figures of all dealers are right.");
    }
    if (faults.length > 0) throw new CommandError(`${faults.join("; ")}; run the command reindex`);
  });

/** Adds the commands `reindex` and `verify-index`. */
export const addSearchWords = (program: Command): void => {
  program
    .command("reindex")
    .description("rebuild the search words, the spellings and the daily figures of dealers; the service may be running")
    .action(reindex);
  program
    .command("verify-index")
    .description(
      "check the search words, the spellings and the daily figures of dealers against the vehicles, without changing anything",
    )
    .addOption(jsonOption())
    .action(verify);
};
