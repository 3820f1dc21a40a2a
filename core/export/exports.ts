import Type from "typebox";
import { scopeOf } from "../access/decide.ts";
import { useCase } from "../access/use-case.ts";
import type { Clock } from "../clock.ts";
import type { Outcome } from "../failure.ts";
import { mappedSlices, type Slice } from "../long-items.ts";
import type { Input } from "../schema.ts";
import { type SearchIndex, searchRefusal } from "../search/progress.ts";
import { DEALER_FILTER, FILTERS, vehicleFilterOf } from "../vehicles/vehicle-filter.ts";
import { formOf, formQuery } from "./export-file.ts";
import type { ExportRepository } from "./export-repository.ts";
import { VEHICLE_FORMATS, type VehicleFormat, vehicleFile } from "./vehicle-file.ts";

/** Query of GET /api/vehicles/export. */
export const VehicleExportQuery = Type.Object({
  ...DEALER_FILTER,
  ...FILTERS,
  ...formQuery(VEHICLE_FORMATS, {
    default: false,
    description:
      "If true, an apostrophe is put before each text that a spreadsheet would take for a formula. Do not import such a table: the apostrophes would become part of the texts.",
  }),
});
export type VehicleExportQuery = Input<typeof VehicleExportQuery>;

/** A file of vehicles, whose lines are made while it is sent. */
export interface VehicleExport {
  readonly format: VehicleFormat;
  /** The line of column names; empty where each line has them. Of a workbook, it is what begins its sheet. */
  readonly heading: string;
  /** Lines with their ends. See ExportRepository for what reading them holds. */
  readonly lines: Iterable<Slice<string>>;
  /** What stands behind the last line. */
  readonly end: string;
}

/** The use case of exporting vehicles. */
export const makeExports = ({
  exports,
  search,
  clock,
}: {
  readonly exports: ExportRepository;
  readonly search: SearchIndex;
  readonly clock: Clock;
}) => ({
  /** The vehicles in the caller's scope that the filters find. A bound key's dealer replaces any requested dealer. */
  vehicles: useCase("vehicle.export", (principal, query: VehicleExportQuery): Outcome<VehicleExport> => {
    const unanswerable = searchRefusal(search, query);
    if (unanswerable !== null) return unanswerable;
    const scope = scopeOf(principal);
    const filter = vehicleFilterOf(scope === null ? query : { ...query, dealer_id: scope }, clock);
    const {
      format,
      heading,
      line,
      end = "",
    } = vehicleFile({ ...formOf(query, false), ofSeveralDealers: scope === null });
    return { format, heading, lines: mappedSlices(exports.vehicles({ scope, filter }), line), end };
  }),
});

export type Exports = ReturnType<typeof makeExports>;
