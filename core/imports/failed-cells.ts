import type { StoredRow } from "./import-repository.ts";

/** The characters that the cells of an import's failed rows may take together. */
export const MAX_FAILED_CELLS = 16 * 1024 * 1024;

/** What a cell takes besides its text. */
const CELL_CHARACTERS = 3;

const NOT_KEPT = {
  path: "",
  code: "cells_not_kept",
  message: `the cells of this row are not kept, as those of the failed rows before it take ${MAX_FAILED_CELLS / 1024 / 1024} MiB`,
};

/** What the cells of a row take. */
export const charactersOf = (cells: NonNullable<StoredRow["cells"]>): number =>
  cells.reduce<number>((sum, cell) => sum + String(cell ?? "").length + CELL_CHARACTERS, 0);

/**
 * The results as they are kept, and the characters of cells that are kept then. The file goes long before the results,
 * so failed rows have their own cells; but a small packed file must not leave a large copy of itself. What does not fit
 * is left out as a whole: a row with cut texts would write them when it is sent again.
 */
export const withKeptCells = (
  rows: readonly StoredRow[],
  keptCells: number,
): { readonly rows: readonly StoredRow[]; readonly keptCells: number } => {
  let kept = keptCells;
  const bounded = rows.map((row) => {
    if (row.cells === undefined) return row;
    const characters = charactersOf(row.cells);
    if (kept + characters > MAX_FAILED_CELLS) return { ...row, cells: [], errors: [...row.errors, NOT_KEPT] };
    kept += characters;
    return row;
  });
  return { rows: bounded, keptCells: kept };
};
