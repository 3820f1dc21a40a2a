import { exportRoutes } from "../../adapters/http/api/export.ts";
import { makeExportRepository } from "../../adapters/sql/export/repository.ts";
import { makeExports } from "../../core/export/exports.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** Vehicles as a file. */
export const wireExports = ({ db, words, clock, shown }: Shared) => {
  const exports = makeExports({ exports: makeExportRepository(db, undefined, shown), search: words, clock });
  return { uses: { exports }, routes: () => exportRoutes(exports) } satisfies Feature;
};
