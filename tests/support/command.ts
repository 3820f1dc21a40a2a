import { CommandError } from "../../app/commands/exit.ts";
import { run } from "../../app/commands/program.ts";
import type { Ran } from "./program.ts";

/**
 * Runs a command in this process with these variables, as starting the program for each would take most of the time. It
 * must end by itself or by a refusal.
 */
export const runCommand = async (
  environment: Readonly<Record<string, string>>,
  ...line: readonly string[]
): Promise<Ran> => {
  const before = { ...process.env };
  const written = { stdout: [] as string[], stderr: [] as string[] };
  const ranWith = (code: number, message = ""): Ran => ({
    code,
    out: written.stdout.join(""),
    err: written.stderr.join("") + message,
  });
  const { stdout, stderr } = process;
  const [writeOut, writeErr] = [stdout.write, stderr.write];
  Object.assign(process.env, environment);
  stdout.write = (text: unknown) => written.stdout.push(String(text)) > 0;
  stderr.write = (text: unknown) => written.stderr.push(String(text)) > 0;
  try {
    await run(line);
    return ranWith(0);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return ranWith(error.exitCode, `${error.message}\n`);
  } finally {
    [stdout.write, stderr.write] = [writeOut, writeErr];
    for (const name of Object.keys(environment)) delete process.env[name];
    Object.assign(process.env, before);
  }
};
