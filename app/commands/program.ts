import { Command } from "commander";
import { VERSION } from "../version.ts";
import { serveCommand } from "./serve.ts";

/** The command line. Without a command it serves. */
export const program = (): Command => {
  const root = new Command("vehicle-inventory")
    .description("REST service over vehicles, dealers, vehicle images and API keys.")
    .version(VERSION)
    .exitOverride();
  root.command("serve", { isDefault: true }).description("serve the API (default)").action(serveCommand);
  return root;
};
