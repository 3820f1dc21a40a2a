import { type Command, Option } from "commander";
import { OPERATOR } from "../../core/access/principal.ts";
import { type Dealer, DealerQuery, listedDealer } from "../../core/dealers/dealer.ts";
import { validator } from "../../core/validation.ts";
import { withCore } from "./database.ts";
import { group } from "./options.ts";
import { resultOf } from "./outcome.ts";
import { type ListFormat, type ListOptions, queryOf, showList, withListOptions } from "./records.ts";
import { minuteOf } from "./table.ts";

const DEALERS: ListFormat<Dealer> = {
  plural: "dealers",
  present: listedDealer,
  columns: [
    ["ID", ({ id }) => String(id)],
    ["NAME", ({ name }) => name],
    ["CITY", ({ city }) => city],
    ["STATE", ({ state }) => state],
    ["EMAIL", ({ email }) => email],
    ["ACTIVE", ({ active }) => (active === 1 ? "yes" : "no")],
    ["CREATED", ({ created_at }) => minuteOf(created_at)],
  ],
};

const dealerQuery = validator(DealerQuery);

const list = async (options: ListOptions): Promise<void> => {
  const query = queryOf(dealerQuery, options);
  await withCore("existing", async ({ dealers }) => {
    await showList(DEALERS, resultOf(await dealers.list(OPERATOR, query)), options.json);
  });
};

/** Adds the command `dealers`. */
export const addDealers = (program: Command): void => {
  withListOptions(
    group(program, "dealers", "list dealers and their ids, which other commands need")
      .command("list")
      .description("list dealers, the newest first, including inactive ones")
      .addOption(new Option("--city <city>", "only dealers in this city"))
      .addOption(new Option("--state <state>", "only dealers in this state")),
  ).action(list);
};
