import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { configFaults } from "../config-faults.ts";
import { lookAlikes, lookAlikeWarning } from "../look-alikes.ts";
import { shownConfig } from "../shown-config.ts";
import { CommandError, EXIT } from "./exit.ts";
import { jsonOption } from "./options.ts";
import { print, printJson, warn } from "./output.ts";

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const checkConfig = ({ json }: { readonly json?: true }): void => {
  for (const found of lookAlikes(process.env)) warn(lookAlikeWarning(found));
  const faults = configFaults(process.env);
  if (faults.length > 0) throw new CommandError(faults.join("\n  "), EXIT.usage);
  const configuration = shownConfig(readConfig(process.env));
  if (json) printJson(configuration);
  else for (const [name, value] of Object.entries(configuration)) print(`${name}: ${textOf(value)}`);
};

/** Adds the command `check-config`. */
export const addCheckConfig = (program: Command): void => {
  program
    .command("check-config")
    .description("show the configuration that the service would use, or everything that is wrong with it")
    .addOption(jsonOption())
    .action(checkConfig);
};
