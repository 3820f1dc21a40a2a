import { endBecauseOf } from "../../app/commands/end.ts";
import { run } from "../../app/commands/program.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The result of a run of the program. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Writes into a text instead of to a terminal; returns the text, and what undoes that. */
const collect = (stream: NodeJS.WriteStream) => {
  const { write, isTTY } = stream;
  let text = "";
  const collected = (piece: string | Uint8Array): boolean => {
    text += typeof piece === "string" ? piece : new TextDecoder().decode(piece);
    return true;
  };
  Object.assign(stream, { write: collected, isTTY: false });
  return () => {
    Object.assign(stream, { write, isTTY });
    return text;
  };
};

/** Sets variables of this process; returns what sets them back. */
const setVariables = (environment: Environment): (() => void) => {
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  const set = ([name, value]: readonly [string, string | undefined]): void => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const entry of Object.entries(environment)) set(entry);
  return () => before.forEach(set);
};

const runNow = async (environment: Environment, line: readonly string[]): Promise<Ran> => {
  const unset = setVariables(environment);
  const [out, err] = [collect(process.stdout), collect(process.stderr)];
  let [code, why] = [0, ""];
  try {
    await run(line);
  } catch (error) {
    ({ code, line: why } = endBecauseOf(error));
  } finally {
    unset();
  }
  return { code, out: out(), err: err() + why };
};

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end in this process, whose folder it has: starting the program takes most of the time of most
 * commands. One runs at a time, because the output and the variables are the process's.
 */
export const runCommand = (environment: Environment, ...line: readonly string[]): Promise<Ran> => {
  const ran = last.then(() => runNow(environment, line));
  last = ran.catch(() => {});
  return ran;
};
