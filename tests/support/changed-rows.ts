/** Rows as text, each by a name of its own. */
export type NamedRows = ReadonlyMap<string, string>;

/** The names of the rows that a step changed, added or deleted, in order. */
export const changedRows = async (
  read: () => Promise<NamedRows>,
  step: () => Promise<unknown>,
): Promise<readonly string[]> => {
  const before = await read();
  await step();
  const after = await read();
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort();
};
