/** A row as the driver gives it. */
export type PostgresRow = Record<string, unknown>;

/** 64-bit integers arrive as bigint, all within the safe range by the schema: the one place where types are pinned. */
export const pinned = <Row>(rows: readonly PostgresRow[]): readonly Row[] => {
  for (const row of rows) for (const name in row) if (typeof row[name] === "bigint") row[name] = Number(row[name]);
  return rows as readonly Row[];
};
