import { UNPRINTABLE } from "./table.ts";

/** Writes the result of a command to standard output, with a line end. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Writes a message to standard error, so that it does not mix with the result. */
export const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Warns on standard error that a command had no effect, or an unusual one. The exit code stays 0. */
export const warn = (text: string): void => note(`warning: ${text}`);

/** Writes a character as escapes of its UTF-16 units, as JSON does. */
const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** JSON without control characters that a terminal would interpret. Line ends are only between the values. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(UNPRINTABLE, (found) => (found === "\n" ? found : escaped(found)));

/** Writes a record as JSON. */
export const printJson = (value: unknown): void => print(jsonOf(value));

/** Writes a list as JSON in parts, so that a long list does not fill the memory. */
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
