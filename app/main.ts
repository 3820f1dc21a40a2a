import { endBecauseOf } from "./commands/end.ts";
import { EXIT } from "./commands/exit.ts";
import { run } from "./commands/program.ts";

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
  const { line, code } = endBecauseOf(error);
  process.stderr.write(line);
  process.exit(code);
}
