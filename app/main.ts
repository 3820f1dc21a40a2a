import { CommandError, EXIT } from "./commands/exit.ts";
import { run } from "./commands/program.ts";
import { ConfigError } from "./config-error.ts";
import { DatabaseError } from "./database.ts";

/**
 * The message for an error. It is one line if the user can correct the error, with a hint if the command line is wrong.
 * For a defect, it is the whole error.
 */
const explain = (error: unknown): string => {
  if (error instanceof CommandError && error.exitCode === EXIT.usage)
    return `${error.message}\n(--help explains the commands and options)`;
  if (error instanceof ConfigError || error instanceof DatabaseError || error instanceof CommandError)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

process.stdout.on("error", (error: Error & { readonly code?: string }) => {
  // If the reader of the output closes early (`keys list | head`), this is not a failure.
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  process.stderr.write(`vehicle-inventory: cannot write to standard output: ${error.message}\n`);
  process.exit(EXIT.failed);
});

// Standard error has only messages for people. If nobody reads them, the service continues.
process.stderr.on("error", () => {});

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`vehicle-inventory: ${explain(error)}\n`);
  process.exit(error instanceof CommandError ? error.exitCode : EXIT.failed);
}
