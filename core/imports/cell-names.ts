/**
 * The name of each column's cells: its heading, with a number behind it where the file has the heading again, as in
 * `Image` and `Image (2)`.
 */
export const cellNamesOf = (columns: readonly { readonly heading: string }[]): readonly string[] => {
  const headings = new Set(columns.map(({ heading }) => heading));
  const taken = new Set<string>();
  return columns.map(({ heading }) => {
    let name = heading;
    for (let again = 2; taken.has(name) || (name !== heading && headings.has(name)); again++)
      name = `${heading} (${again})`;
    taken.add(name);
    return name;
  });
};
