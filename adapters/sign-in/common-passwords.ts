import list from "./common-passwords.txt" with { type: "text" };

/** Read from the list at the first use, which takes a few milliseconds. */
let known: ReadonlySet<string> | null = null;

const read = (): ReadonlySet<string> =>
  new Set(list.split("\n").filter((line) => line !== "" && !line.startsWith("# ")));

/**
 * True if the text is one of the 10 000 most common passwords, or a long one among the next most common ones. The text
 * must be in lower case.
 */
export const isCommonPassword = (text: string): boolean => {
  known ??= read();
  return known.has(text);
};
