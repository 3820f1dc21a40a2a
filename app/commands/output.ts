/** Writes what a command was asked for to standard output, for people and programs to read on; adds the line's end. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Writes what accompanies it to standard error, where it is not in the way of what reads standard output. */
export const remark = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Writes a record, or a list of them, as JSON. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));
