import { CommanderError } from "commander";
import { CommandError, EXIT } from "./commands/exit.ts";
import { run } from "./commands/program.ts";
import { ConfigError } from "./config-error.ts";
import { DatabaseError } from "./database.ts";

/** One line for what the user can mend; the whole error only for what is our defect. */
const explain = (error: unknown): string => {
  if (error instanceof ConfigError || error instanceof DatabaseError || error instanceof CommandError)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

process.stdout.on("error", (error: Error & { readonly code?: string }) => {
  // A reader that has seen enough (`keys list | head`) is no failure.
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  process.stderr.write(`vehicle-inventory: cannot write to standard output: ${error.message}\n`);
  process.exit(EXIT.failed);
});

// What is said there is for people; without a reader the service goes on.
process.stderr.on("error", () => {});

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage);
  process.stderr.write(`vehicle-inventory: ${explain(error)}\n`);
  process.exit(error instanceof CommandError ? error.exitCode : EXIT.failed);
}
