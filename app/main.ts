import { CommandError, EXIT } from "./commands/exit.ts";
import { run } from "./commands/program.ts";
import { ConfigError } from "./config-error.ts";
import { DatabaseError } from "./database.ts";

/** One line for what the user can correct, with a hint if the command line is wrong; the whole error for a defect. */
const explain = (error: unknown): string => {
  if (error instanceof CommandError && error.exitCode === EXIT.usage)
    return `${error.message}\n(--help explains the commands and options)`;
  if (error instanceof ConfigError || error instanceof DatabaseError || error instanceof CommandError)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

process.stdout.on("error", (error: Error & { readonly code?: string }) => {
  // A reader that closes early (`keys list | head`) is no failure.
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  process.stderr.write(`vehicle-inventory: cannot write to standard output: ${error.message}\n`);
  process.exit(EXIT.failed);
});

// Only messages for people: without a reader the service continues.
process.stderr.on("error", () => {});

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`vehicle-inventory: ${explain(error)}\n`);
  process.exit(error instanceof CommandError ? error.exitCode : EXIT.failed);
}
