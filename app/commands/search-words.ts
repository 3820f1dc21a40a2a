import type { Command } from "commander";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { verifyVehicleWords } from "../../adapters/sql/search/verification.ts";
import { searchOf } from "../config.ts";
import { withDatabase } from "./database.ts";
import { CommandError } from "./exit.ts";
import { jsonOption } from "./options.ts";
import { print, printJson } from "./output.ts";
import { withProgress } from "./progress.ts";
import { plural } from "./table.ts";

/** Refuses where no words are kept. */
const demandSearch = (): void => {
  if (!searchOf(process.env)) throw new CommandError("search is off (SEARCH=off): no words of vehicles are kept");
};

const reindex = (): Promise<void> => {
  demandSearch();
  return withDatabase("existing", async (db) => {
    await withProgress((reached) => vehicleWordsIn(db).remake(reached));
    print("The words of all vehicles are made anew.");
  });
};

const verify = ({ json }: { readonly json?: true }): Promise<void> => {
  demandSearch();
  return withDatabase("existing", async (db) => {
    const verdict = await withProgress((reached) => verifyVehicleWords(db, reached));
    const { vehicles, wrong, stray, misindexed, examples } = verdict;
    const isRight = wrong + stray + misindexed === 0;
    if (json) printJson(verdict);
    else if (isRight) print(`The words of ${plural(vehicles, "vehicle")} are right.`);
    if (!isRight)
      throw new CommandError(
        `of ${plural(vehicles, "vehicle")}, ${wrong} have other words than their texts, ${misindexed} are not in the index as stored, and ${stray} words are of none (such as ${examples.join(", ")}); run the command reindex`,
      );
  });
};

/** Adds `reindex` and `verify-index`. */
export const addSearchWords = (program: Command): void => {
  program
    .command("reindex")
    .description(
      "make the words by which vehicles are found anew; the service may be running, and finds them meanwhile",
    )
    .action(reindex);
  program
    .command("verify-index")
    .description("compare the words by which vehicles are found with the vehicles; changes nothing")
    .addOption(jsonOption())
    .action(verify);
};
