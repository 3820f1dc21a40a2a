/** Parses a table separated by commas or tabs into records, whose fields its first line names. */
export const recordsOf = (text: string, separator: "," | "\t" = ","): Record<string, string>[] => {
  const lines: string[][] = [[]];
  const cells = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n)`, "g");
  for (const [, quoted, plain, end] of text.matchAll(cells)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === "\r\n") lines.push([]);
  }
  const [names = [], ...rows] = lines.slice(0, -1);
  return rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place] ?? ""])));
};
