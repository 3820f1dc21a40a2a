import Type from "typebox";
import type { Exports } from "../../../core/export/exports.ts";
import { VehicleExportQuery } from "../../../core/export/exports.ts";
import type { ExportFormat } from "../../../core/export/vehicle-file.ts";
import { Failure } from "../../../core/failure.ts";
import { ExportBody } from "../protocol/long-body.ts";
import { ok, type Route, route } from "../protocol/route.ts";
import { fileHeaders } from "./answers.ts";

/** What each form of a file is called on the web. */
const TYPES = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  ndjson: "application/x-ndjson",
} as const satisfies Record<ExportFormat, string>;

/** Routes of exports. */
export const exportRoutes = (exports: Exports): Route[] => [
  route({
    operation: "vehicle.export",
    name: "exportVehicles",
    method: "GET",
    path: "/api/vehicles/export",
    summary: "Export vehicles as a file",
    description:
      "What the list finds with the same filters, newest first and without pages, all as it was when the export began. The columns are those that an import takes, and `id` and `created_at`; `images` has the addresses of a vehicle's images with a space between two. What is written, imported, changes nothing. `dealer_id` is a column for callers that are not bound to a dealer. The first line names the columns; in `ndjson` each line is an object of JSON. A caller has one export at a time, for 15 minutes at most: then, or if the right to it ends, the connection is closed without the end of the file.",
    query: VehicleExportQuery,
    answer: {
      status: 200,
      schema: Type.String(),
      description: "The vehicles, one a line",
      file: { types: Object.values(TYPES), isCounted: false },
    },
    errors: ["search_not_ready"],
    handle({ principal, query }) {
      const exported = exports.vehicles(principal, query);
      if (exported instanceof Failure) return exported;
      const { format, heading, lines } = exported;
      return ok(new ExportBody(lines, { start: heading, end: "", separator: "" }), {
        headers: fileHeaders(TYPES[format], `vehicles.${format}`),
      });
    },
  }),
];
