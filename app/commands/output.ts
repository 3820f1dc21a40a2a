import { UNPRINTABLE } from "./table.ts";

/** Writes what a command was asked for to standard output, for people and programs to read on; adds the line's end. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Writes what accompanies it to standard error, where it is not in the way of what reads standard output. */
export const remark = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Writes to standard error that a command had no effect, or not the usual one. The exit code stays 0. */
export const warn = (text: string): void => remark(`warning: ${text}`);

/** One UTF-16 unit after the other, as JSON has it. */
const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** JSON without anything that a terminal would obey; line ends are between the values only. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(UNPRINTABLE, (found) => (found === "\n" ? found : escaped(found)));

/** Writes a record as JSON. */
export const printJson = (value: unknown): void => print(jsonOf(value));

/** Writes a list as JSON, part by part, so that a long one is never held as a whole. */
export const printJsonList = async (parts: AsyncIterable<readonly object[]>): Promise<void> => {
  let before = "[\n";
  for await (const part of parts) {
    const items = part.map((item) => `  ${jsonOf(item).replaceAll("\n", "\n  ")}`);
    if (items.length === 0) continue;
    process.stdout.write(before + items.join(",\n"));
    before = ",\n";
  }
  print(before === "[\n" ? "[]" : "\n]");
};
