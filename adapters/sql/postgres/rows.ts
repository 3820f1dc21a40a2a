/** A row as the driver returns it. */
export type PostgresRow = Record<string, unknown>;

/**
 * Converts 64-bit integers, which the driver returns as bigint, to numbers. The schema ensures that all are within the
 * safe range.
 */
export const withNumbers = <Row>(rows: readonly PostgresRow[]): readonly Row[] => {
  for (const row of rows) for (const name in row) if (typeof row[name] === "bigint") row[name] = Number(row[name]);
  return rows as readonly Row[];
};
