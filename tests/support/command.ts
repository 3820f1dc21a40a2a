import { endBecauseOf } from "../../app/commands/end.ts";
import { run } from "../../app/commands/program.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The result of a run of the program. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How a part of a command runs in this process. */
interface Surroundings {
  readonly environment?: Environment;
  /** True if standard output is a terminal. */
  readonly isTerminal?: boolean;
  /** Is told each piece of text that is written to standard error, before the command goes on. */
  readonly heard?: (piece: string) => void;
}

/** Writes into a text instead of to a terminal; returns the text, and what undoes that. */
const collect = (stream: NodeJS.WriteStream, isTerminal = false, heard: (piece: string) => void = () => {}) => {
  const { write, isTTY } = stream;
  let text = "";
  const collected = (written: string | Uint8Array): boolean => {
    const piece = typeof written === "string" ? written : new TextDecoder().decode(written);
    text += piece;
    heard(piece);
    return true;
  };
  Object.assign(stream, { write: collected, isTTY: isTerminal });
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

const endOf = async (work: () => unknown, { environment = {}, isTerminal, heard }: Surroundings): Promise<Ran> => {
  const unset = setVariables(environment);
  const [out, err] = [collect(process.stdout, isTerminal), collect(process.stderr, false, heard)];
  let [code, why] = [0, ""];
  try {
    await work();
  } catch (error) {
    ({ code, line: why } = endBecauseOf(error));
  } finally {
    unset();
  }
  return { code, out: out(), err: err() + why };
};

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a part of a command in this process as if it were a whole one. One runs at a time, because the output and the
 * variables are the process's.
 */
export const runPart = (work: () => unknown, surroundings: Surroundings = {}): Promise<Ran> => {
  const ran = last.then(() => endOf(work, surroundings));
  last = ran.catch(() => {});
  return ran;
};

/**
 * Runs a command to its end in this process, whose folder it has: starting the program takes most of the time of most
 * commands.
 */
export const runCommand = (environment: Environment, ...line: readonly string[]): Promise<Ran> =>
  runPart(() => run(line), { environment });
